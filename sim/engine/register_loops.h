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
#include <functional>
#include <map>
#include <optional>
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

// A loop that ends as its counter says, which all lanes have alike and nothing but its comparison with a constant
// reads: how many rounds there are is known before, and none of them has to count or to ask.
struct CountedLoop {
  std::int32_t counts = 0, asks = 0;  // the pcs of the addition and of the comparison
  std::uint32_t counter = 0;          // row
  std::int64_t step = 0;              // of a round
  std::uint32_t bound = 0;            // what it is compared with
  bool goes_back_if = true;           // that says so
};
// `alike`: the loop's.
std::optional<CountedLoop> counted_loop(const Code& code, const RegisterLoop& loop, const AlikeRows& alike);
// Behind how many of the next `most` rounds, one after the other, the lanes go back that have that in the counter now.
// None: the counter might wrap meanwhile.
std::optional<std::uint64_t> rounds_to_go(const Code& code, const CountedLoop& of, std::uint32_t counter,
                                          std::uint64_t most);

// A loop as several warps execute it: each instruction for one warp after the other, on the first one's registers; the
// others' lie behind those, each a register block further.
struct SideBySide {
  std::int32_t begin = 0;
  std::vector<DecodedInsn> insns;
  std::vector<Alike> results;  // by instruction
  std::map<std::uint32_t, Alike> at_begin;
  std::set<std::uint32_t> constants;  // of which that is used
  // Of one that is known to go round as often as it is asked to: what counts and asks, of each warp, which its rounds
  // are without.
  std::vector<DecodedInsn> at_end;
  std::int64_t step = 0;  // of its counter
  bool truth = false;     // what its comparison says as long as all go back
};
// What a loop's code may rely on, each beside those before it: that the rows of AlikeRows::at_begin are so; and that it
// goes round as often as it is asked to.
enum class Assumed : std::uint8_t { Nothing, Alike, Rounds };
SideBySide side_by_side(const Code& code, const RegisterLoop& loop, unsigned warps, Assumed assumed);
// What is exchanged with the other half, and then only put together with what it was before, need not be exchanged: the
// two lines are put together. `is_live`: whether a row may be read from a pc on.
void join_halves(SideBySide& of, unsigned warps,
                 const std::function<bool(std::int32_t pc, std::uint32_t row)>& is_live);

}  // namespace warpsim::engine
