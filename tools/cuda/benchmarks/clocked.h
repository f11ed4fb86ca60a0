// A program with clock reads around a part of it, which it passes several times: the same for a GPU and the simulator.
//
// Shapes: what is measured is between the labels `measure` and `measured`. Without them it is what stands behind
//         the leading loads from global memory and before the trailing stores to it. The clocked program is
//             what stood before
//             again:  every register that the region reads has the value that it had before the first pass
//                     bar.sync 0;  a shared word is read and stored again: a barrier by itself holds back accesses
//                     to memory, but lets arithmetic and clock reads go ahead
//                     mov.u32 %t0, %clock;  the region;  mov.u32 %t1, %clock
//                     once more, clock_passes times in all: the last one finds its instructions in the cache
//             clock_begin[%warpid] and clock_end[%warpid] = the last pass's clocks
//             what stood behind, so its outputs are those that it had without clocks
//         For a compiler, values go from each pass to the next through `clock_zero`, a parameter that is 0: so nothing
//         of the region can be computed once for all passes, or after the last. What a lane has of its own passes
//         through what the region computed; what is the same on all lanes stays known to be so.
// Units:  pcs; clocks count cycles.
// Errors: NotClocked says why nothing of a program can be measured so.
// Source: ptxas 13.0 for sm_90 keeps the instructions between two reads of %clock between them, in its machine code;
//         with the barrier in the loop it takes the lanes to be together behind it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "isa/program/program.h"

namespace warpsim {

inline constexpr unsigned kClockPasses = 4;
inline constexpr unsigned kMostClockedWarps = 32;  // of its one block

struct ClockedProgram {
  Program program;
  std::int32_t first = 0, last = 0;  // the region's instructions there: [first, last)
};

struct NotClocked {
  std::string why;  // "it stores to global memory on line 12, within what would be measured"
};

// `program` as run at 32 lanes: without collectives.
[[nodiscard]] std::variant<ClockedProgram, NotClocked> clocked(const Program& program);

}  // namespace warpsim
