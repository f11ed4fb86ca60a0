// Whether the order in which blocks run can show in what a launch computes.
//
// Shapes: the first instruction through which it can, in the order of the program.
// Units:  pcs.
// Errors: none. Blocks that store different values at one address are a race, and what becomes of it is not defined.
// Source: PTX ISA 9.0, "Memory Consistency Model": without atomics, fences and volatile accesses blocks have nothing to
//         meet by; sums, extremes and bitwise operations of integers come to the same in any order.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/program/program.h"

namespace warpsim {

struct ShownOrder {
  std::int32_t pc = 0;
  std::string_view why;  // "what it returns depends on who came first"
};

std::optional<ShownOrder> order_of_blocks_shown(const Program& program);

}  // namespace warpsim
