// A program with clock reads at its begin and at its ends: what it takes from the first instruction to the last one of
// each thread, loads and stores included, once.
//
// Shapes: clock_begin[t] and clock_end[t], by the thread's number in its one block; 0 where a thread has not come.
//         The two stores of a thread that exits early belong to what the others take, as they do on a GPU.
// Units:  clocks count cycles.
// Errors: NotClocked: a parameter of such a name is there already.
// Source: clocked.h.
#pragma once

#include <variant>

#include "tools/cuda/benchmarks/clocked.h"

namespace warpsim {

inline constexpr unsigned kMostClockedThreads = 32 * kMostClockedWarps;

// `program` as run at 32 lanes: without collectives. The region is all of it.
[[nodiscard]] std::variant<ClockedProgram, NotClocked> clocked_whole(const Program& program);

}  // namespace warpsim
