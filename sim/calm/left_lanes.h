// Which lanes of which registers may hold what a shuffle left in place past its segment, whatever a run does.
//
// Shapes: a set of lanes a register, of the whole program: what flows there from shuffles, through what computes lane
//         by lane and through other shuffles. Of shuffles by constants it is known lane by lane.
// Units:  lanes.
// Errors: none. `is_known` is false of a program that calls functions: what goes there by memory is not followed.
// Source: sim/check/undefined.h follows the same through a run, value by value; this is never less.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/program/program.h"
#include "sim/event/lane_mask.h"

namespace warpsim {

// The constants that shuffles of a program are by. `unwritten`: registers that may be read before they are written.
class ShuffleConstants {
 public:
  ShuffleConstants(const Program& program, const std::vector<bool>& unwritten, unsigned lanes);
  std::optional<std::int64_t> of(const Operand& operand) const;
  // How far a shuffle may reach, as PTX spells it; none: it is no constant, or a wrong one.
  std::optional<std::uint32_t> clamp_of(const Insn& insn) const;

 private:
  unsigned lanes_;
  std::vector<std::optional<std::int64_t>> registers_;
};

// Whether a selection passes on what any of its operands may hold, or nothing: then whoever runs the program must ask
// whether a lane that holds such a value chooses it.
enum class Selections : std::uint8_t { PassBoth, PassNone };

struct LeftLanes {
  bool is_known = false;
  std::vector<LaneMask> lanes;  // by register
  // Of a selection that passes nothing on.
  ChoiceLanes chosen_by(const Insn& selection) const;
};
LeftLanes left_lanes(const Program& program, const ShuffleConstants& constants, unsigned lanes, Selections selections);

}  // namespace warpsim
