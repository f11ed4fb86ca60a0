// Registers that may lie in one place, one after the other: a compiler's PTX names hundreds, of which few are live at
// once.
//
// Shapes: by register, the first of those that lie with it, or itself. No two of them are ever live at one instruction,
//         nor does one write what another of them may be read for: of a lane, wherever the other lanes of its warp
//         stand. All are of one class. Predicates lie alone, as do registers that lanes exchange, that
//         depend on a clock (clock_loops.h), copies that may be left out (forward_copies.h), and all of programs with
//         functions.
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
