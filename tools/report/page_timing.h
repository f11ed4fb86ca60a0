// What a page shows of a timed run beside its trace: the numbers of `warpsim stats`, and what each access to memory had
// to be served.
//
// Shapes: JSON: {"statistics": a run of `stats --json`, "accesses": {"12": {"ways": 2}, "13": {"sectors": 4, …}}}; the
//         accesses are by the place of their event in the trace.
// Errors: "" of a run that was not timed, and of a part of one.
#pragma once

#include <string>

#include "sim/timing/profile.h"
#include "traces/model/trace.h"

namespace warpsim::tools {

// `device`: the profile that timed it; null: known by its name alone.
std::string page_timing(const Trace& trace, const TimingProfile* device);

}  // namespace warpsim::tools
