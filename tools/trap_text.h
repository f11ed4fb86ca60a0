// What went wrong in a run, as people read it and as JSON: traps, findings, outputs that differ.
//
// Shapes: drawn like a compiler's error: the line with a caret, then the cycle, the lanes as ranges and as a mask,
//         where every lane is, and what to try.
// Errors: none.
#pragma once

#include <string>
#include <vector>

#include "isa/program.h"
#include "traces/trace.h"

namespace warpsim::tools {

std::string draw_trap(const Program& program, const Trace& trace, const TraceTrap& trap);
std::string trap_to_json(const Program& program, const Trace& trace, const TraceTrap& trap);
std::string draw_finding(const Program& program, const Trace& trace, const TraceFinding& finding);
std::string finding_to_json(const Program& program, const Trace& trace, const TraceFinding& finding);

// One sentence for each output that is not what was expected.
std::vector<std::string> mismatches(const TraceOutcome& outcome);

}  // namespace warpsim::tools
