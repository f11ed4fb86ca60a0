// A case under other orders of warps and lanes than the plain one, and what that shows.
//
// Shapes: seeds from 1; even ones also run with independent lanes.
// Units:  none.
// Errors: none.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/program/lesson.h"
#include "sim/launch/launch.h"
#include "traces/model/trace.h"

namespace warpsim::tools {

// The plain run took so many cycles.
PreparedCase under_schedule(PreparedCase prepared, std::uint64_t seed, std::uint64_t cycles);

// What another order of warps and lanes gives must be the same; the first difference, if it is not. Compared are the
// buffers of which the case expects something, or all if it expects nothing. `.unordered` buffers are compared sorted,
// and one of a single element not at all. `config` is the other run's.
std::optional<TraceFinding> schedule_difference(const Lesson& program, const Trace& base, const Trace& other,
                                                const LaunchConfig& config);

}  // namespace warpsim::tools
