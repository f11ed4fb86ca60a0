// The registers that the machine fills: their names, and what Mojo and CUDA call them.
//
// Shapes: one SpecialInfo a member of `Special` (operand.h), indexed by it.
// Units:  counts and indices of lanes, warps, threads and blocks; masks hold one bit a lane.
// Errors: none; parse_special gives no value for a word that names no special register.
// Source: PTX ISA 9.0, chapter 10 "Special Registers"; `%gtid` is warpsim's own.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "isa/program/operand.h"
#include "isa/table/type.h"

namespace warpsim {

struct SpecialInfo {
  std::string_view name;  // "%laneid", with the percent sign
  Type type;              // U32, U64 for %clock64, or Mask for the lane masks
  std::string_view doc;   // one line
  std::string_view mojo;  // "lane_id()"; may be ""
  std::string_view cuda;  // "threadIdx.x"; may be ""
};

const SpecialInfo& info(Special special);
std::span<const SpecialInfo> all_specials();                  // the index is the Special
std::string_view name(Special special);                       // "%laneid"
std::optional<Special> parse_special(std::string_view word);  // "%laneid", as name() writes it

// Whether `word` ("%smid", "%envreg3", "%clusterid.x") is a special register of PTX that no program here can read
// yet.
bool is_unsupported_special(std::string_view word);

// The special register that Mojo or CUDA calls `word` ("threadIdx.x", "lane_id", "lane_id()"), for "did you mean".
std::optional<Special> special_known_as(std::string_view word);

}  // namespace warpsim
