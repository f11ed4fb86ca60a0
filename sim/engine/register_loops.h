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
#include <map>
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

// Of a row of 32-bit values: whether its upper 16 lanes always hold what the lower ones do, as where lanes have taken
// from each other's halves, or all lanes the same, as of a counter. Then half of it, or one lane, is computed alone.
enum class Alike : std::uint8_t { No, Halves, Lanes };
inline constexpr std::uint32_t kBytesOfHalf = 64;

// What is known of a loop on such rows.
struct AlikeRows {
  std::map<std::uint32_t, Alike> at_begin;  // must be so as the loop begins; then it is after each round
  std::vector<Alike> results;               // by instruction: what it writes; a predicate where all lanes' operands are
};
AlikeRows alike_rows(const Code& code, const RegisterLoop& loop);

// A loop as several warps execute it: each instruction for one warp after the other, on the first one's registers; the
// others' lie behind those, each a register block further.
struct SideBySide {
  std::vector<DecodedInsn> insns;
  std::vector<Alike> results;  // by instruction
  std::map<std::uint32_t, Alike> at_begin;
  std::set<std::uint32_t> constants;  // of which that is used
};
// `uses_alike`: the rows of AlikeRows::at_begin are so.
SideBySide side_by_side(const Code& code, const RegisterLoop& loop, unsigned warps, bool uses_alike);

}  // namespace warpsim::engine
