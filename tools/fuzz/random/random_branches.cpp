// Random control flow: if and else, loops, branches into the middle of each other, early exits.
//
// Shapes: each path of a branch has a group of its own, whose mask register holds its lanes.
// Errors: none.
#include <bit>

#include "tools/fuzz/random/random_writer.h"

namespace warpsim::reference {

// Lanes may exit meanwhile; the group is then the lanes that are left.
void RandomWriter::statements(Group& group, std::uint64_t budget, int depth) {
  for (std::uint64_t k = 0; k < budget; ++k) {
    const std::uint64_t roll = random_.below(100);
    if (roll < 76) {
      instruction(group);
    } else if (roll < 84) {
      if (depth < 3) branch(group, depth);
    } else if (roll < 89) {
      if (depth < 2) loop(group, depth);
    } else if (roll < 92) {
      if (depth < 3) tangle(group);
    } else if (roll < 95 && group.whole_block) {
      as_one_line([this] { return exchange_in_block(); });
    } else if (roll < 98) {
      as_one_line([&] { return exchange_in_warp(group); });
    } else if (loops_around_ == 0 && exits_ < 2 && (depth > 0 || k > budget / 2)) {
      as_one_line([&] { return early_exit(group); });
    }
  }
}

// Writes the condition, and returns the groups of the two paths.
RandomWriter::Split RandomWriter::split(const Group& group) {
  Split s{fresh("%q"), group, group};
  const std::uint64_t roll = random_.below(100);
  if (roll < 20) {  // the same for the whole block
    line(cat({"setp.lt.u32 ", s.p, ", %ctaid.x, ", random_.below(3)}));
    return s;
  }
  s.yes.whole_block = s.no.whole_block = false;
  if (roll < 30) {  // the same for the whole warp
    line(cat({"setp.lt.u32 ", s.p, ", %bl, ", random_.below(3), " * WARP_SZ"}));
    return s;
  }
  s.yes.whole_warp = s.no.whole_warp = s.yes.complete = s.no.complete = s.yes.packed = s.no.packed = false;
  if (roll < 42 && group.complete && group.mask.empty()) {
    literal_split(s);
    return s;
  }
  if (roll < 62 && group.segment > 1) {  // whole segments take the same path
    const unsigned bit = 1U << random_.below(static_cast<std::uint64_t>(std::countr_zero(group.segment)));
    line(cat({"and.b32 %t0, %laneid, ", bit}));
    line(cat({"setp.ne.u32 ", s.p, ", %t0, 0"}));
    s.yes.segment = s.no.segment = bit;
  } else {
    line(cat({"mov.pred ", s.p, ", ", predicate()}));
    s.yes.segment = s.no.segment = 1;
  }
  s.yes.mask = s.yes.members = fresh("%g");
  s.no.mask = s.no.members = fresh("%g");
  line(cat({"vote.ballot.mask ", s.yes.members, ", ", s.p, member_operand(group, ", ")}));
  line(cat({"not.mask ", s.no.members, ", ", s.yes.members}));
  line(cat({"and.mask ", s.no.members, ", ", s.no.members, ", ", group.members}));
  if (lanes_ <= 32 && random_.chance(25)) {  // the same set in a plain 32-bit register
    s.yes.mask = fresh("%w");
    line(cat({"vote.ballot.b32 ", s.yes.mask, ", ", s.p, member_operand(group, ", ")}));
  }
  return s;
}

// One path takes the lanes that a literal names, the other path the rest.
void RandomWriter::literal_split(Split& s) {
  const std::uint64_t all = low_bits(static_cast<int>(lanes_)), yes = random_.next() & all;
  for (Group* path : {&s.yes, &s.no}) {
    path->mask = cat({"0x", hex_text(path == &s.yes ? yes : all & ~yes, 1)});
    path->members = fresh("%g");
    path->segment = 1;
    line(cat({"mov.mask ", path->members, ", ", path->mask}));
  }
  line(cat({"shr.mask %tm, ", s.yes.members, ", %laneid"}));
  line("and.mask %tm, %tm, 1");
  line("popc.mask %t0, %tm");
  line(cat({"setp.ne.u32 ", s.p, ", %t0, 0"}));
}

void RandomWriter::branch(Group& group, int depth) {
  Split s = as_one_line([&] { return split(group); });
  const Text otherwise = fresh("L"), end = fresh("L");
  const unsigned exits_before = exits_;
  const bool has_else = random_.chance(60);
  // Lanes may wait for each other at two warp barriers: each path has its own, for all lanes of both.
  const bool barrier_in_both = has_else && random_.chance(15);
  const Text warp_barrier = cat({"bar.warp.sync", member_operand(group, " ")});
  line(cat({"@!", s.p, " bra ", has_else ? otherwise : end}));
  if (barrier_in_both) line(warp_barrier);
  statements(s.yes, 1 + random_.below(6), depth + 1);
  if (has_else) {
    line(cat({"bra", random_.chance(30) ? ".uni " : " ", end}));
    label(otherwise);
    if (barrier_in_both) line(warp_barrier);
    statements(s.no, 1 + random_.below(6), depth + 1);
  }
  label(end);
  if (exits_ != exits_before) drop_exited(group);
}

// After lanes have exited: the lanes that are left. Masks may still name those that exited.
void RandomWriter::drop_exited(Group& group) {
  group.members = fresh("%g");
  line(cat({"vote.ballot.mask ", group.members, ", %always", member_operand(group, ", ")}));
  if (!group.mask.empty() && random_.chance(50)) group.mask = group.members;
  group.segment = 1;
  group.complete = group.packed = false;
}

// Branches forward into the middle of each other: no if and no else. All paths converge at the end.
void RandomWriter::tangle(Group& group) {
  std::vector<Text> labels;
  for (std::uint64_t k = 3 + random_.below(4); k > 0; --k) labels.push_back(fresh("L"));
  const unsigned exits_before = exits_;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    label(labels[k]);
    if (k + 1 == labels.size()) break;
    for (std::uint64_t n = random_.below(3); n > 0; --n) lane_instruction();
    const std::size_t to = k + 1 + random_.below(labels.size() - k - 1);
    line(cat(
        {random_.chance(85) ? cat({"@", random_.chance(50) ? "!" : "", predicate(), " "}) : "", "bra ", labels[to]}));
    if (loops_around_ == 0 && exits_ < 2 && random_.chance(5)) {
      ++exits_;
      line(cat({"@", predicate(), " exit"}));
    }
  }
  if (exits_ != exits_before) drop_exited(group);
}

// An instruction that a lane executes by itself.
void RandomWriter::lane_instruction() {
  Group nobody;
  for (int tries = 0; tries < 20; ++tries) {
    const OpInfo& row = assembly_ops()[random_.below(assembly_ops().size())];
    const bool alone = is_lanewise(row.lift) || row.lift == Lift::Load || row.lift == Lift::Store ||
                       row.lift == Lift::LoadParam || row.lift == Lift::Atomic || row.lift == Lift::Nothing;
    if (alone && as_one_line([&] { return emit(row, nobody); })) return;
  }
}

void RandomWriter::loop(Group& group, int depth) {
  ++loops_around_;
  loop_text(group, depth);
  --loops_around_;
}

void RandomWriter::loop_text(Group& group, int depth) {
  const Text count = fresh("%k"), p = fresh("%q"), begin = fresh("L"), end = fresh("L");
  if (random_.chance(50)) {  // the same trip count for every lane
    line(cat({"mov.u32 ", count, ", ", 1 + random_.below(4)}));
    label(begin);
    statements(group, 1 + random_.below(5), depth + 1);
    line(cat({"sub.u32 ", count, ", ", count, ", 1"}));
    line(cat({"setp.ne.u32 ", p, ", ", count, ", 0"}));
    line(cat({"@", p, " bra ", begin}));
    return;
  }
  Group inside;
  inside.mask = inside.members = fresh("%g");
  line(cat({"and.b32 ", count, ", ", any_register(Type::B32), ", 3"}));
  line(cat({"mov.mask ", inside.mask, ", ", group.members}));
  label(begin);
  line(cat({"setp.eq.u32 ", p, ", ", count, ", 0"}));
  leave(inside, p, end);
  statements(inside, 1 + random_.below(4), depth + 1);
  if (random_.chance(30)) {  // break
    line(cat({"mov.pred ", p, ", ", predicate()}));
    leave(inside, p, end);
    statements(inside, 1 + random_.below(2), depth + 1);
  }
  line(cat({"sub.u32 ", count, ", ", count, ", 1"}));
  line(cat({"bra ", begin}));
  label(end);
}

// The lanes where p holds branch to `to`; the group's mask becomes the others.
void RandomWriter::leave(const Group& group, const Text& p, const Text& to) {
  line(cat({"vote.ballot.mask ", group.mask, ", !", p, ", ", group.mask}));
  line(cat({"@", p, " bra ", to}));
}

bool RandomWriter::early_exit(Group& group) {
  ++exits_;
  const Text p = fresh("%q"), members = fresh("%g");
  if (random_.chance(50)) {  // like a size guard: the living lanes of a whole warp stay packed
    line(cat({"setp.ge.u32 ", p, ", %gl, ", random_.below(total_ + 1)}));
  } else {
    line(cat({"mov.pred ", p, ", ", predicate()}));
    group.packed = false;
  }
  line(cat({"vote.ballot.mask ", members, ", !", p, member_operand(group, ", ")}));
  line(cat({"@", p, " exit"}));
  group.members = members;
  if (!group.mask.empty() && random_.chance(50)) group.mask = members;
  group.segment = 1;
  group.complete = false;
  return true;
}

}  // namespace warpsim::reference
