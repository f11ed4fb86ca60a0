// The launches of a program that were timed, as a table of 80 columns.
//
// Shapes: a line a launch, in the order in which they ended; launches of one kernel that are alike in all that is shown
//         but their numbers are one line.
// Units:  cycles of the profile's device; time at its clock.
// Errors: a record without what a line shows is left out.
// Source: the records are those of host/exec/exec_report.h; the reasons those of `warpsim stats`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/timing/profile.h"

namespace warpsim::tools {

std::string timing_table(const TimingProfile& profile, const std::vector<nlohmann::json>& records);

}  // namespace warpsim::tools
