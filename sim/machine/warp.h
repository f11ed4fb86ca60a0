// One warp of a launch: its lanes, where they stand, and its registers.
//
// Shapes: a row of a register block holds one value a lane (sim/code/register_file.h).
// Units:  cycles from 1; offsets in bytes into the register block.
// Errors: none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/code/decode.h"
#include "sim/machine/divergence.h"
#include "sim/machine/lane_stack.h"

namespace warpsim {

struct Warp {
  std::uint32_t block = 0, index = 0;  // index: in the block
  std::uint32_t slot = 0;              // the place among the resident blocks that its block has
  std::uint64_t order = 0;             // block * warps a block + index: whose turn it is of those of one cycle
  std::byte* registers = nullptr;
  LaneMask existing = 0, alive = 0;
  std::uint64_t cycle = 1;       // of its next issue; of one that waits meaningless
  std::uint64_t last_issue = 0;  // cycle of its last one
  bool queued = false;
  Divergence divergence{0};
  LocalMemory local;
};

// One lane's value in a row of a register.
inline std::uint64_t read_row(const Warp& w, std::uint32_t offset, bool wide, unsigned lane) {
  const std::byte* r = w.registers;
  return wide ? row<std::uint64_t>(r, offset)[lane] : row<std::uint32_t>(r, offset)[lane];
}
inline void write_row(Warp& w, std::uint32_t offset, bool wide, unsigned lane, std::uint64_t value) {
  if (wide) row<std::uint64_t>(w.registers, offset)[lane] = value;
  else row<std::uint32_t>(w.registers, offset)[lane] = static_cast<std::uint32_t>(value);
}
// A predicate of these lanes.
inline void write_word(Warp& w, std::uint32_t offset, LaneMask lanes, LaneMask value) {
  LaneMask now = word(static_cast<const std::byte*>(w.registers), offset);
  now = (now & ~lanes) | (value & lanes);
  word(w.registers, offset) = now;
}
inline bool is_wide(const DecodedInsn& d) { return bits(d.type) == 64; }

// Of these lanes, those that take the branch.
inline LaneMask taking(const std::byte* registers, const DecodedInsn& branch, LaneMask lanes) {
  return branch.guard == kNoOffset ? lanes : (word(registers, branch.guard) ^ branch.guard_flip) & lanes;
}
// Of these lanes, those whose choice in a watched selection is to be heard of.
inline LaneMask choosing(const std::byte* registers, const DecodedInsn& d, LaneMask lanes) {
  return d.choices->among(lanes, word(registers, d.p) ^ d.p_flip);
}

// The member mask that a lane gives at a `.sync` instruction: without an operand, all lanes.
LaneMask member_mask(const Code& code, const Warp& warp, const DecodedInsn& d, unsigned lane);
// Whether both groups wait at block barriers with one number and one operation.
bool stand_at_one_barrier(const Code& code, const Group& x, const Group& y);

}  // namespace warpsim
