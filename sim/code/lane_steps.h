// What each lane of a warp has more than the one before it, as far as a launch shows it before the run.
//
// Shapes: of a warp all of whose lanes exist.
// Units:  none.
// Errors: none: what is not known is no number.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/table/op.h"
#include "isa/table/special.h"
#include "isa/table/type.h"
#include "sim/launch/launch.h"

namespace warpsim {

// Of a special register, in a block of this shape.
std::optional<std::int64_t> step_of(Special special, const Dim3& block, unsigned lanes);
// Of an instruction with this second operand, an immediate: what a step is multiplied by, or shifted, or
// what its bits are combined with; 0: by none.
std::int64_t literal_of(Op op, Type type, std::int64_t immediate);

}  // namespace warpsim
