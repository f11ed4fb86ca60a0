// What went wrong in a run as JSON, and outputs that differ in words.
//
// Errors: none.
#pragma once

#include <string>
#include <vector>

#include "isa/program/program.h"
#include "traces/model/trace.h"
#include "traces/text/fault_drawing.h"

namespace warpsim::tools {

std::string fault_to_json(const Program& program, unsigned lanes, const TraceFinding& fault);

// One sentence for each output that is not what was expected.
std::vector<Message> mismatches(const TraceOutcome& outcome);

}  // namespace warpsim::tools
