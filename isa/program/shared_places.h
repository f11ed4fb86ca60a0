// Registers that may lie in one place, one after the other: a compiler's PTX names hundreds, of which few are live at
// once.
//
// Shapes: by register, the first of those that lie with it, or itself. At no instruction are two of them live, or one
//         live and another written. So a lane never needs two at once, wherever the other lanes of its warp stand. All
//         are of one class. These lie alone: predicates, registers that lanes exchange or that depend on a clock
//         (clock_loops.h), copies that may be left out (sim/code/forward_copies.h), all of a program with functions.
// Units:  indices of Program::registers.
// Errors: none.
// Source: linear scan over live intervals: Poletto and Sarkar, "Linear Scan Register Allocation" (TOPLAS 21(5), 1999).
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program/program.h"

namespace warpsim {

std::vector<std::int32_t> shared_places(const Program& program);

}  // namespace warpsim
