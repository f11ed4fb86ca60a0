// See left_lanes.h.
#include "sim/calm/left_lanes.h"

#include <algorithm>
#include <cstddef>

#include "isa/kernels/shuffle_mode.h"
#include "isa/program/lint.h"
#include "isa/program/reads_writes.h"
#include "isa/table/op.h"
#include "sim/code/shuffle_network.h"

namespace warpsim {

// Registers that one instruction alone writes, from a constant, and that are written before they are read.
ShuffleConstants::ShuffleConstants(const Program& program, const std::vector<bool>& unwritten, unsigned lanes)
    : lanes_(lanes), registers_(unwritten.size()) {
  std::vector<unsigned> writes(unwritten.size(), 0);
  for (const Insn& insn : program.code)
    for_each_written(insn, [&](std::int32_t reg) { ++writes[static_cast<std::size_t>(reg)]; });
  for (const Insn& insn : program.code) {
    if (!has_trait(info(insn.op), kCopies) || insn.guard.reg >= 0 || insn.operands[1].kind != Operand::Kind::Imm)
      continue;
    const std::size_t reg = static_cast<std::size_t>(insn.operands[0].reg);
    if (writes[reg] == 1 && !unwritten[reg]) registers_[reg] = insn.operands[1].expr.evaluate(lanes);
  }
}

std::optional<std::int64_t> ShuffleConstants::of(const Operand& operand) const {
  if (operand.kind == Operand::Kind::Imm) return operand.expr.evaluate(lanes_);
  return operand.kind == Operand::Kind::Reg ? registers_[static_cast<std::size_t>(operand.reg)] : std::nullopt;
}

std::optional<std::uint32_t> ShuffleConstants::clamp_of(const Insn& insn) const {
  const Operand& c = insn.operands[4];
  if (c.kind != Operand::Kind::None && c.kind != Operand::Kind::Width) {
    const std::optional<std::int64_t> value = of(c);
    if (!value || lint_value(insn, 0, *value, lanes_)) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
  }
  const std::int64_t width = c.kind == Operand::Kind::None ? lanes_ : c.expr.evaluate(lanes_);
  if (width < 1 || width > lanes_ || (width & (width - 1)) != 0) return std::nullopt;
  return shuffle_clamp(shuffle_mode(insn.op), static_cast<unsigned>(width), lanes_);
}

namespace {

class Following {
 public:
  Following(const Program& program, const ShuffleConstants& constants, unsigned lanes, Selections selections)
      : program_(program),
        constants_(constants),
        lanes_(lanes),
        selections_(selections),
        left_(program.registers.size(), 0) {}

  std::vector<LaneMask> run() {
    do {
      changed_ = false;
      for (const Insn& insn : program_.code) follow(insn);
    } while (changed_);
    return left_;
  }

 private:
  LaneMask at(std::int32_t reg) const { return left_[static_cast<std::size_t>(reg)]; }
  void add(std::int32_t reg, LaneMask lanes) {
    LaneMask& known = left_[static_cast<std::size_t>(reg)];
    changed_ = changed_ || (lanes & ~known) != 0;
    known |= lanes;
  }

  void follow(const Insn& insn) {
    const Lift lift = info(insn.op).lift;
    if (lift == Lift::Load || lift == Lift::Atomic || lift == Lift::Mbarrier) return;  // to address by it is a use
    if (lift == Lift::Shuffle) {
      const LaneMask how = decided(insn);  // what it gives, and whether that was in range
      if (insn.operands[0].kind == Operand::Kind::Reg) add(insn.operands[0].reg, shuffled(insn) | how);
      if (insn.operands[1].kind == Operand::Kind::Reg) add(insn.operands[1].reg, how);
      return;
    }
    LaneMask lanes = 0;
    if (selections_ == Selections::PassNone && has_trait(info(insn.op), kSelects)) lanes = decided(insn);
    else for_each_read(insn, [&](std::int32_t reg) { lanes |= at(reg); });
    if (lanes != 0 && crosses_lanes(lift)) lanes = full_mask(lanes_);
    for_each_written(insn, [&](std::int32_t reg) { add(reg, lanes); });
  }

  // Of what a shuffle reads but for the values: its guard, from where each lane takes one, who takes part. Of a
  // selection: its guard, and what chooses.
  LaneMask decided(const Insn& insn) const {
    LaneMask lanes = insn.guard.reg >= 0 ? at(insn.guard.reg) : 0;
    for (std::size_t k = 3; k < insn.operands.size(); ++k)
      if (insn.operands[k].kind == Operand::Kind::Reg) lanes |= at(insn.operands[k].reg);
    return lanes;
  }

  // What a shuffle gives: from its source lanes, or left in place.
  LaneMask shuffled(const Insn& insn) const {
    const std::optional<std::int64_t> by = constants_.of(insn.operands[3]);
    const std::optional<std::uint32_t> clamp = constants_.clamp_of(insn);
    if (!by || !clamp) return full_mask(lanes_);
    const LaneMask of_source = insn.operands[2].kind == Operand::Kind::Reg ? at(insn.operands[2].reg) : 0;
    LaneMask lanes = 0;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      const ShuffleSource source =
          shuffle_source(shuffle_mode(insn.op), lane, static_cast<std::uint32_t>(*by), *clamp, lane_index_mask(lanes_));
      if (!source.in_range || has_lane(of_source, source.lane)) lanes |= lane_bit(lane);
    }
    return lanes;
  }

  const Program& program_;
  const ShuffleConstants& constants_;
  unsigned lanes_;
  Selections selections_;
  std::vector<LaneMask> left_;
  bool changed_ = false;
};

}  // namespace

ChoiceLanes LeftLanes::chosen_by(const Insn& selection) const {
  const auto of = [&](const Operand& operand) {
    return operand.kind == Operand::Kind::Reg ? lanes[static_cast<std::size_t>(operand.reg)] : LaneMask{0};
  };
  return {of(selection.operands[1]), of(selection.operands[2])};
}

LeftLanes left_lanes(const Program& program, const ShuffleConstants& constants, unsigned lanes, Selections selections) {
  const bool calls = std::any_of(program.code.begin(), program.code.end(), [](const Insn& insn) {
    const Lift lift = info(insn.op).lift;
    return lift == Lift::Call || lift == Lift::Return;
  });
  if (calls) return {};
  return {true, Following(program, constants, lanes, selections).run()};
}

}  // namespace warpsim
