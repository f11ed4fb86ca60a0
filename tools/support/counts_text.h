// What a run did, in numbers, as text and as JSON.
//
// Units:  those of sim/statistics/counts.h.
// Errors: none.
#pragma once

#include <string>

#include "sim/statistics/counts.h"

namespace warpsim::tools {

// "6 exact, 1 approximate, 0 unsupported"
std::string exactness_text(const ExactnessCounts& counts);
std::string exactness_json(const ExactnessCounts& counts);
std::string counts_text(const Counts& counts, const RegisterCounts& registers);
std::string counts_json(const Counts& counts, const RegisterCounts& registers);

}  // namespace warpsim::tools
