// Collectives written out as the shuffles that a real GPU runs.
//
// Errors: none: any verified program expands.
#pragma once

#include "isa/program/lesson.h"

namespace warpsim {

// Expands `broadcast`, `reduce` and `scan` into shuffles for one lane count; the result computes the same bits. A
// phase's title that calls them hardware-accelerated then says `as shuffles`.
[[nodiscard]] Program expand_collectives(const Program& program, unsigned lanes);
[[nodiscard]] Lesson expand_collectives(const Lesson& lesson, unsigned lanes);

}  // namespace warpsim
