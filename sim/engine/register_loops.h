// Loops of registers alone: nobody but the warp itself sees what it does in one, so that several warps may go round it
// side by side, and many turns at once.
//
// Shapes: straight code that ends with a branch to its begin. A register counts its rounds, so that no state of the
//         warp comes twice in fewer than kRoundsOfCounter of them: it does not spin.
// Units:  pcs.
// Errors: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "sim/code/decode.h"

namespace warpsim::engine {

struct RegisterLoop {
  std::int32_t begin = 0, end = 0;  // behind the branch
  std::uint32_t length() const { return static_cast<std::uint32_t>(end - begin); }
};

inline constexpr std::uint64_t kRoundsOfCounter = std::uint64_t{1} << 24;

std::vector<RegisterLoop> register_loops(const Code& code);

// Of a loop on 32-bit integers: where the upper 16 lanes of a row always hold what the lower ones do, as those of a
// counter, or of what lanes have taken from each other's halves. Then the lower ones are computed alone.
struct Halves {
  std::vector<std::uint32_t> at_begin;  // rows that must be so as the loop begins; then they are after each round
  std::vector<bool> results;            // by instruction: what it writes is so; empty: nothing is known
};
Halves halves_of(const Code& code, const RegisterLoop& loop);
inline constexpr std::uint32_t kBytesOfHalf = 64;

// A loop as several warps execute it: each instruction for one warp after the other, on the first one's registers; the
// others' lie behind those, each a register block further.
struct SideBySide {
  std::vector<DecodedInsn> insns;
  std::set<std::uint32_t> alike;    // rows with equal halves as it begins, constants among them
  std::vector<bool> alike_results;  // by instruction
};
// `uses_halves`: the rows of Halves::at_begin are so.
SideBySide side_by_side(const Code& code, const RegisterLoop& loop, unsigned warps, bool uses_halves);

}  // namespace warpsim::engine
