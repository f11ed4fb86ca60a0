// What went wrong in a run, as people read it and as JSON: traps, findings, outputs that differ.
//
// Shapes: drawn like a compiler's error: the line with a caret, then the cycle, the lanes as ranges and as a mask, how
//         it came to that, where every lane is, the rule, what to try and which cycles to look at.
// Errors: none.
#pragma once

#include <string>
#include <vector>

#include "isa/program/program.h"
#include "isa/table/findings.h"
#include "traces/model/trace.h"

namespace warpsim::tools {

std::string draw_fault(const Program& program, unsigned lanes, const TraceFinding& fault);
std::string fault_to_json(const Program& program, unsigned lanes, const TraceFinding& fault);
SourceRange place_of(const Program& program, const TraceFinding& fault);
Severity severity_of(const TraceFinding& fault);  // of one without a code that is known: an error

// "lanes 0-3 (0x0000000f)"
std::string lanes_text(LaneMask lanes, unsigned width);
// A line below such a message, as wide as a terminal.
std::string below(const std::string& text);

// One sentence for each output that is not what was expected.
std::vector<Message> mismatches(const TraceOutcome& outcome);

}  // namespace warpsim::tools
