// What a run did, in numbers, as text and as JSON.
//
// Units:  those of sim/counts.h.
// Errors: none.
#pragma once

#include <string>

#include "sim/counts.h"

namespace warpsim::tools {

std::string counts_text(const Counts& counts, const RegisterCounts& registers);
std::string counts_json(const Counts& counts, const RegisterCounts& registers);

}  // namespace warpsim::tools
