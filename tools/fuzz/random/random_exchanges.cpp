// Random shuffles, votes, collectives and barriers of a group of lanes.
//
// Shapes: a shuffle reads from living members of the group only; whatever else it could read is undefined.
// Errors: none.
#include <bit>

#include "tools/fuzz/random/random_writer.h"

namespace warpsim::reference {

// Sometimes under a guard: then the group is the lanes where the guard holds.
bool RandomWriter::shuffle_or_guarded(const OpInfo& row, const Group& group) {
  if (!random_.chance(15)) return shuffle(row, group, "", predicate());
  const Text p = fresh("%q"), members = fresh("%g");
  const bool negated = random_.chance(50);
  line(cat({"mov.pred ", p, ", ", predicate()}));
  line(cat({"vote.ballot.mask ", members, ", ", negated ? "!" : "", p, member_operand(group, ", ")}));
  Group part;
  part.mask = part.members = members;
  return shuffle(row, part, cat({"@", negated ? "!" : "", p, " "}), random_.chance(50) ? p : predicate());
}

// `in_range` is the predicate that it may write; it can be the guard itself.
bool RandomWriter::shuffle(const OpInfo& row, const Group& group, const Text& guarded, const Text& in_range) {
  const Type type = any_type(row.types);
  const bool butterfly = shuffle_mode(row.traits) == ShuffleMode::Bfly;
  Text target = any_register(type);
  if (random_.chance(50)) target += cat({"|", in_range});
  const Text start =
      cat({guarded, row.mnemonic, ".", warpsim::name(type), " ", target, ", ", any_register(type), ", "});
  if (group.segment > 1 && random_.chance(70)) {
    const unsigned width = 1U << random_.below(static_cast<std::uint64_t>(std::countr_zero(group.segment)) + 1);
    // Past its segment a butterfly reads earlier segments: allowed only where those are in the group.
    const bool any_offset = !butterfly || group.segment == lanes_;
    line(cat({start, offset(any_offset ? 0 : width), tail(row, group, width)}));
    return true;
  }
  member_offset(row, group);
  line(cat({start, "%t0", random_.chance(30) ? tail(row, group, lanes_) : member_operand(group, ", mask=")}));
  return true;
}

// The operand b: anything, or anything below `limit`.
Text RandomWriter::offset(unsigned limit) {
  if (random_.chance(50))
    return cat({limit == 0 ? random_.below(lanes_ > 1 && random_.chance(80) ? lanes_ : 70) : random_.below(limit)});
  if (limit == 0) return any_register(Type::U32);
  line(cat({"and.b32 %t1, ", any_register(Type::B32), ", ", limit - 1}));
  return "%t1";
}

// The operand c and the member mask, in one of their spellings. `clamp` stays inside the segment.
Text RandomWriter::tail(const OpInfo& row, const Group& group, unsigned width) {
  const unsigned index_mask = lanes_ > 32 ? 63 : 31;
  const bool up = shuffle_mode(row.traits) == ShuffleMode::Up;
  if (random_.chance(50))
    return cat({width == lanes_ && random_.chance(50) ? "" : cat({", width=", width_text(width)}),
                member_operand(group, ", mask=")});
  const Text all = lanes_ > 32 ? "0xffffffffffffffff" : "0xffffffff";
  unsigned clamp = (index_mask + 1 - width) << 8 | (up ? 0 : index_mask);
  // Any clamp is defined as long as it keeps lanes inside their segment of the group.
  if (random_.chance(40)) clamp = (clamp & ~index_mask) | static_cast<unsigned>(random_.below(index_mask + 1));
  return cat({", ", clamp, ", ", group.mask.empty() ? all : group.mask});
}

Text RandomWriter::width_text(unsigned width) {
  if (random_.chance(50)) return cat({width});
  return width == lanes_ ? "WARP_SZ" : cat({"WARP_SZ / ", lanes_ / width});
}

// Leaves in %t0 an offset that leads every lane to a member of the group, or out of range.
void RandomWriter::member_offset(const OpInfo& row, const Group& group) {
  line(cat({"and.b32 %t0, ", any_register(Type::B32), ", ", lanes_ - 1}));
  const ShuffleMode mode = shuffle_mode(row.traits);
  const bool up = mode == ShuffleMode::Up, down = mode == ShuffleMode::Down, butterfly = mode == ShuffleMode::Bfly;
  if (up) line("sub.u32 %t1, %laneid, %t0");
  else if (down) line("add.u32 %t1, %laneid, %t0");
  else if (butterfly) line("xor.b32 %t1, %laneid, %t0");
  else line("mov.u32 %t1, %t0");
  line(cat({"shr.mask %tm, ", group.members, ", %t1"}));
  line("and.mask %tm, %tm, 1");
  line("popc.mask %t2, %tm");
  line("setp.ne.u32 %tp, %t2, 0");
  if (up || down) {  // past either end a lane keeps its own value
    line("setp.ge.u32 %tq, %t1, WARP_SZ");
    line("or.pred %tp, %tp, %tq");
  }
  line(cat({"selp.u32 %t0, %t0, ", up || down || butterfly ? "0" : "%laneid", ", %tp"}));
}

bool RandomWriter::vote(const OpInfo& row, const Group& group) {
  const Type type = any_type(row.types);
  if (row.form == Form::Ballot && type == Type::B32 && lanes_ > 32) return false;
  Text operands;
  for (const Slot& slot : slots(row.form)) {
    const Type t = slot_type(slot.type, type, Type::None);
    if (slot.role == Role::DstPred && slot.when_absent == Default::Absent)
      operands += random_.chance(60) ? cat({"|", predicate()}) : "";
    else if (slot.role != Role::Src) operands += any_register(t);
    else if (slot.when_absent == Default::Required)
      operands += cat({", ", t == Type::Pred && random_.chance(25) ? "!" : "", any_register(t)});
  }
  line(cat({row.mnemonic, random_.chance(20) ? ".sync" : "", ".", warpsim::name(type), " ", operands,
            member_operand(group, ", ")}));
  return true;
}

bool RandomWriter::active_mask(const OpInfo& row) {
  const Type type = any_type(row.types);
  if (type == Type::B32 && lanes_ > 32) return false;
  line(cat({row.mnemonic, ".", warpsim::name(type), " ", any_register(type)}));
  return true;
}

bool RandomWriter::collective(const OpInfo& row, const Group& group) {
  if (!group.whole_warp || (row.lift == Lift::Reduce && !group.complete) || !group.packed) return false;
  const Type type = any_type(row.types);
  Text operands = cat({any_register(type), ", ", any_register(type)});
  // Lane 0 lives wherever the warp does; any lane does in a complete warp.
  if (row.form == Form::Bcast && random_.chance(70))
    operands += cat({", ", group.complete ? random_.below(lanes_) : 0});
  line(cat({row.mnemonic, modifiers(row, type), ".", warpsim::name(type), " ", operands}));
  return true;
}

bool RandomWriter::barrier(const OpInfo& row, const Group& group) {
  if (row.form == Form::Warp) {
    line(cat({row.mnemonic, random_.chance(50) ? ".sync" : "", member_operand(group, " ")}));
    return true;
  }
  if (!group.whole_block) return false;
  if (row.form == Form::BarRed) {
    const Type type = any_type(row.types);
    line(cat({row.mnemonic, ".", warpsim::name(type), " ", any_register(type), ", ",
              random_.below(kFirstCountedBarrier), ", ", random_.chance(30) ? "!" : "", predicate()}));
    return true;
  }
  const bool may_count = exits_ == 0 && next_barrier_ < 16 && complete_warps_ && threads_ > lanes_;
  if (row.form == Form::BarArrive) return may_count && arriving_warps(row);
  if (may_count && random_.chance(40)) return counted_barrier(row);
  line(cat({row.mnemonic, ".sync ", random_.below(kFirstCountedBarrier)}));
  return true;
}

// Some of the warps wait at a barrier of their own, which nothing else uses.
bool RandomWriter::counted_barrier(const OpInfo& row) {
  const std::uint64_t warps = 1 + random_.below(threads_ / lanes_);
  const Text p = fresh("%q"), past = fresh("L");
  line(cat({"setp.ge.u32 ", p, ", %bl, ", warps, " * WARP_SZ"}));
  line(cat({"@", p, " bra ", past}));
  line(cat({row.mnemonic, ".sync ", next_barrier_++, ", ", warps, " * WARP_SZ"}));
  label(past);
  return true;
}

// Some of the warps arrive and go on, the others wait for them; in a loop nobody may arrive again before those have.
bool RandomWriter::arriving_warps(const OpInfo& row) {
  const std::uint64_t warps = threads_ / lanes_, arrive = 1 + random_.below(warps - 1);
  const Text p = fresh("%q"), wait = fresh("L"), past = fresh("L");
  const Text threads = cat({" ", next_barrier_++, ", ", warps, " * WARP_SZ"});
  line(cat({"setp.ge.u32 ", p, ", %bl, ", arrive, " * WARP_SZ"}));
  line(cat({"@", p, " bra ", wait}));
  line(cat({row.mnemonic, threads}));
  line(cat({"bra ", past}));
  label(wait);
  line(cat({"bar.sync", threads}));
  label(past);
  line(cat({"bar.sync ", random_.below(kFirstCountedBarrier)}));
  return true;
}

// All threads arrive, wait by the state or by the parity, and now and then once more. Only `row` must be among it.
bool RandomWriter::mbarrier(const OpInfo& row, const Group& group) {
  if (!group.whole_block || exits_ != 0) return false;
  const auto one_of = [&](std::initializer_list<Op> rows) -> const OpInfo& {
    for (const Op op : rows)
      if (&info(op) == &row) return row;
    return info(rows.begin()[random_.below(rows.size())]);
  };
  const OpInfo& arrive = one_of({Op::MbarrierArrive, Op::MbarrierArriveDrop});
  const Text first = fresh("%q"), state = fresh("%z"), done = fresh("%q");
  const std::uint64_t each = 1 + random_.below(3), barrier = random_.below(kFirstCountedBarrier);
  const Text address = cat({"s_bar[", random_.below(2), "]"}), sync = cat({"bar.sync ", barrier});
  line(cat({"setp.eq.u32 ", first, ", %bl, 0"}));
  line(cat({"@", first, " mbarrier.init.shared.b64 ", address, ", ", each * threads_}));
  line(sync);
  const std::uint64_t phases = &arrive == &info(Op::MbarrierArriveDrop) ? 1 : 1 + random_.below(2);
  for (std::uint64_t phase = 0; phase < phases; ++phase) {
    const OpInfo& wait =
        one_of({Op::MbarrierTestWait, Op::MbarrierTestWaitParity, Op::MbarrierTryWait, Op::MbarrierTryWaitParity});
    const bool by_state = wait.form == Form::MbarTest || wait.form == Form::MbarTry;
    line(cat({arrive.mnemonic, ".b64 ", by_state ? state : Text("_"), ", ", address,
              each > 1 || random_.chance(30) ? cat({", ", each}) : Text()}));
    const Text again = fresh("L");
    label(again);
    line(cat({wait.mnemonic, ".b64 ", done, ", ", address, ", ", by_state ? state : cat({phase})}));
    line(cat({"@!", done, " bra ", again}));
  }
  line(sync);
  line(cat({"@", first, " mbarrier.inval.shared.b64 ", address}));
  line(cat({"mov.u64 ", state, ", 0"}));  // PTX leaves its bits open
  line(sync);
  return true;
}

}  // namespace warpsim::reference
