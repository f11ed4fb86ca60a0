// A program's case with a block of more warps, each of which does the program's work.
//
// Shapes: one block of `warps` * 32 threads. Parameters that count threads grow along, and inputs are those of the
//         case, repeated: each warp has what the case's warp has. Where that is not a run without findings, the case's
//         rules make the inputs anew, at the larger size or at the case's own: then warps may leave at once.
// Units:  warps of 32 lanes.
// Errors: NotClocked: no such run is without findings.
// Source: isa/cases/case.h.
#pragma once

#include <variant>

#include "isa/program/lesson.h"
#include "sim/launch/launch.h"
#include "tools/cuda/benchmarks/clocked.h"

namespace warpsim {

// For prepare_case(); `program` is without collectives.
[[nodiscard]] std::variant<CaseOverrides, NotClocked> grown_case(const Lesson& program, const Case& one,
                                                                 unsigned warps);

}  // namespace warpsim
