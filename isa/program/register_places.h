// Registers that may lie in one place, one after the other: a compiler's PTX names hundreds, of which few are live at
// once.
//
// Shapes: by register, the first of those that lie with it, or itself. At no instruction are two of them live, or one
//         live and another written. So a lane never needs two at once, wherever the other lanes of its warp stand: what
//         it gets from another lane, that one has where it stands at the same instruction. All are of one class, and
//         all depend on a clock or none does (clock_loops.h). These lie alone: copies of what never changes
//         (constant_copies.h), all of a program with functions.
// Units:  indices of Program::registers.
// Errors: none.
// Source: linear scan over live intervals: Poletto and Sarkar, "Linear Scan Register Allocation" (TOPLAS 21(5), 1999).
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program/program.h"

namespace warpsim {

RegisterPlaces register_places(const Program& program);
// Each lies alone.
RegisterPlaces places_alone(const Program& program);

}  // namespace warpsim
