// Which part of a program is measured. Private to clocked.cpp.
//
// Shapes: [first, last): between the labels `measure` and `measured`, or found as clocked.h says.
// Units:  pcs.
// Errors: NotClocked says why there is no such part.
#pragma once

#include <cstdint>
#include <variant>

#include "isa/program/program.h"
#include "tools/cuda/benchmarks/clocked.h"

namespace warpsim {

struct ClockedRegion {
  std::int32_t first = 0, last = 0;
};

[[nodiscard]] std::variant<ClockedRegion, NotClocked> find_clocked_region(const Program& program);

}  // namespace warpsim
