// The registers that the machine fills: their names, and what Mojo and CUDA call them.
//
// Shapes: one SpecialInfo a member of `Special`, indexed by it.
// Units:  counts and indices of lanes, warps, threads and blocks; masks hold one bit a lane.
// Errors: none; parse_special gives no value for a word that names no special register.
// Source: PTX ISA 9.0, chapter 10 "Special Registers"; `%gtid` is warpsim's own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "isa/table/type.h"

namespace warpsim {

// Registers that the machine fills. `%gtid` is warpsim's: %ctaid.x * %ntid.x + %tid.x, global_i in the Mojo GPU
// Puzzles. The clocks count the machine's cycles and change while a program runs: `mov` alone reads them.
enum class Special : std::uint8_t {
#define SPECIAL(Name, ...) Name,
#include "isa/table/special.def"
#undef SPECIAL
};
inline constexpr int kSpecialCount = static_cast<int>(Special::GlobalTimerHi) + 1;
constexpr bool is_clock(Special special) { return special >= Special::Clock; }
// Does the machine decide its value? Another one, a GPU, gives another.
constexpr bool is_of_the_machine(Special special) {
  return special > Special::GTid || special == Special::WarpId || special == Special::NWarpId;
}

struct SpecialInfo {
  std::string_view name;                              // "%laneid", with the percent sign
  Type type;                                          // U32, U64 or, for the lane masks, Mask
  std::string_view doc;                               // one line
  std::string_view mojo;                              // "lane_id()"; may be ""
  std::string_view cuda;                              // "threadIdx.x"; may be ""
  std::optional<std::uint64_t> fixed = std::nullopt;  // the value, where it is always the same
};

const SpecialInfo& info(Special special);
std::span<const SpecialInfo> all_specials();  // the index is the Special
std::string_view name(Special special);       // "%laneid"
// "%laneid", as name() writes it. %envreg0 and %envreg3 to %envreg31 are one register here, and so are %pm0 to %pm7:
// all are 0.
std::optional<Special> parse_special(std::string_view word);

// Whether `word` is a special register of PTX that no program here can read yet.
bool is_unsupported_special(std::string_view word);

// The special register that Mojo or CUDA calls `word` ("threadIdx.x", "lane_id", "lane_id()"), for "did you mean".
std::optional<Special> special_known_as(std::string_view word);

// The special register that `word` means in Mojo, in CUDA or in the Mojo GPU Puzzles ("%laneid" for lane_id), or "".
std::string special_named(std::string_view word);

// Can `c` be in a name that messages look for: threadIdx.x, cg::reduce?
bool is_name_char(char c);

}  // namespace warpsim
