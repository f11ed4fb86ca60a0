// Shuffles, votes, matches, reductions and scans of the second interpreter: see reference_interpreter.h.
//
// Errors: none.
// Source: PTX ISA 9.0: shfl.sync 9.7.9.6, vote.sync 9.7.13.9, match.sync and redux.sync beside it.
#include "tools/fuzz/reference_grid.h"

namespace warpsim::reference {

Grid::Source Grid::shuffle_source(ShuffleMode mode, unsigned lane, Bits b, Bits c) const {
  const unsigned five_bits = lanes_ > 32 ? 63 : 31;
  const int bval = static_cast<int>(b & five_bits), cval = static_cast<int>(c & five_bits);
  const int segmask = static_cast<int>(c >> 8 & five_bits);
  const int inverse = ~segmask & static_cast<int>(five_bits), own = static_cast<int>(lane);
  const int max_lane = (own & segmask) | (cval & inverse), min_lane = own & segmask;
  int j = 0;
  bool p = false;
  switch (mode) {
    case ShuffleMode::Up:
      j = own - bval;
      p = j >= max_lane;
      break;
    case ShuffleMode::Down:
      j = own + bval;
      p = j <= max_lane;
      break;
    case ShuffleMode::Bfly:
      j = own ^ bval;
      p = j <= max_lane;
      break;
    case ShuffleMode::Idx:
      j = min_lane | (bval & inverse);
      p = j <= max_lane;
      break;
  }
  return {p ? static_cast<unsigned>(j) : lane, p};
}

// The operand c that CUDA's width stands for: ((32 - width) << 8), with 31 in the low bits but for `up`.
Grid::Bits Grid::clamp_of_width(ShuffleMode mode, Bits width) const {
  const Bits five_bits = lanes_ > 32 ? 63 : 31;
  return ((five_bits + 1 - width) & five_bits) << 8 | (mode == ShuffleMode::Up ? 0 : five_bits);
}

void Grid::shuffle(const Block& block, const std::vector<Thread*>& members, const Insn& insn) {
  std::vector<Bits> values(64, 0);
  for (const Thread* thread : members) values[lane_of(*thread)] = named(block, *thread, "a", insn.type, 0);
  const ShuffleMode mode = shuffle_mode(insn.op);
  for (Thread* thread : members) {
    const Bits b = named(block, *thread, "b", Type::U32, 0);
    const Operand* c = find(insn, "c");
    Bits clamp = clamp_of_width(mode, lanes_);
    if (c != nullptr && c->kind == Operand::Kind::Width) {
      clamp = clamp_of_width(mode, static_cast<Bits>(constant(c->expr, lanes_)));
    } else if (c != nullptr) {
      clamp = value(block, *thread, *c, Type::U32);
    }
    const Source source = shuffle_source(mode, lane_of(*thread), b, clamp);
    write_d(*thread, values[source.lane]);  // 0 from a lane that is not there, as on the H200
    write(*thread, find(insn, "p"), Type::Pred, source.in_range ? 1 : 0);
  }
}

std::optional<Grid::Bits> Grid::voted(Op op, Bits ballot, Bits all) {
  const std::string_view operation = operation_of(op);
  if (operation == "all") return ballot == all ? 1 : 0;
  if (operation == "any") return ballot != 0 ? 1 : 0;
  if (operation == "uni") return ballot == all || ballot == 0 ? 1 : 0;
  if (operation == "ballot") return ballot;
  return std::nullopt;
}

void Grid::vote(const Block& block, const std::vector<Thread*>& members, const Insn& insn) {
  Bits ballot = 0, all = 0;
  for (const Thread* thread : members) {
    all |= Bits{1} << lane_of(*thread);
    ballot |= named(block, *thread, "a", Type::Pred, 0) << lane_of(*thread);
  }
  const Bits result = voted(insn.op, ballot, all).value_or(0);
  for (Thread* thread : members) {
    if (info(insn.op).form == Form::Ballot) write_d(*thread, result);
    else write(*thread, find(insn, "p"), Type::Pred, result);
  }
}

void Grid::match(const Block& block, const std::vector<Thread*>& members, const Insn& insn) {
  std::vector<Bits> lanes_with;
  for (const Thread* thread : members) {
    Bits same = 0;
    for (const Thread* other : members) {
      const bool equal = named(block, *thread, "a", insn.type, 0) == named(block, *other, "a", insn.type, 0);
      same |= Bits{equal} << lane_of(*other);
    }
    lanes_with.push_back(same);
  }
  Bits all = 0;
  for (const Thread* thread : members) all |= Bits{1} << lane_of(*thread);
  for (std::size_t k = 0; k < members.size(); ++k) {
    if (info(insn.op).form == Form::Match) {
      write_d(*members[k], lanes_with[k]);
      continue;
    }
    write_d(*members[k], lanes_with[k] == all ? all : 0);
    write(*members[k], find(insn, "p"), Type::Pred, lanes_with[k] == all ? 1 : 0);
  }
}

void Grid::redux(const Block& block, const std::vector<Thread*>& members, const Insn& insn) {
  Bits total = named(block, *members.front(), "a", insn.type, 0);
  for (std::size_t k = 1; k < members.size(); ++k)
    total = evaluate(insn.op, insn.type, insn.type2, {}, {total, named(block, *members[k], "a", insn.type, 0)}, lanes_);
  for (Thread* thread : members) write_d(*thread, total);
}

// What lane 0 receives from an exclusive scan.
Grid::Bits Grid::identity(Op op, Type type) {
  const bool is_f32 = type == Type::F32;
  const bool negative_low = is_signed(type);
  const Bits all = ones(bits(type)), top = Bits{1} << (bits(type) - 1);
  switch (op) {
    case Op::ScanMul:
      if (is_float(type)) return is_f32 ? 0x3f800000 : 0x3ff0000000000000;
      return 1;
    case Op::ScanMin:
      if (is_float(type)) return is_f32 ? 0x7f800000 : 0x7ff0000000000000;
      return negative_low ? all ^ top : all;
    case Op::ScanMax:
      if (is_float(type)) return is_f32 ? 0xff800000 : 0xfff0000000000000;
      return negative_low ? top : 0;
    default: return 0;
  }
}

void Grid::collective(const Block& block, const std::vector<Thread*>& members, const Insn& insn) {
  std::vector<Bits> values(64, 0);
  for (const Thread* thread : members) values[lane_of(*thread)] = named(block, *thread, "a", insn.type, 0);
  const Lift lift = info(insn.op).lift;
  if (lift == Lift::Broadcast) {
    const std::vector<Bits> before = values;
    for (Thread* thread : members) {
      const Bits from = named(block, *thread, "lane", Type::U32, 0);
      values[lane_of(*thread)] =
          before[shuffle_source(ShuffleMode::Idx, lane_of(*thread), from, clamp_of_width(ShuffleMode::Idx, lanes_))
                     .lane];
    }
  } else if (lift == Lift::Reduce) {
    for (unsigned offset = lanes_ / 2; offset > 0; offset /= 2) combine(members, insn, values, offset, true);
  } else {
    for (unsigned offset = 1; offset < lanes_; offset *= 2) combine(members, insn, values, offset, false);
    if (insn.mods.exclusive) {
      values.insert(values.begin(), identity(insn.op, insn.type));
    }
  }
  for (Thread* thread : members) write_d(*thread, values[lane_of(*thread)]);
}

// One step of the butterfly (reduce) or of the scan: every lane combines its value with another lane's.
void Grid::combine(const std::vector<Thread*>& members, const Insn& insn, std::vector<Bits>& values, unsigned offset,
                   bool butterfly) const {
  const std::vector<Bits> before = values;
  for (const Thread* thread : members) {
    const unsigned lane = lane_of(*thread);
    if (!butterfly && lane < offset) continue;
    const unsigned other = butterfly ? lane ^ offset : lane - offset;
    values[lane] = evaluate(insn.op, insn.type, insn.type2, {}, {before[lane], before[other]}, lanes_);
  }
}

}  // namespace warpsim::reference
