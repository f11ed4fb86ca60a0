// A trap or a finding as people read it.
//
// Shapes: drawn like a compiler's error: the line with a caret, then the cycle, the lanes as ranges and as a mask, how
//         it came to that, where every lane is, the rule, what to try and which cycles to look at.
// Units:  cycles from 1.
// Errors: none.
#pragma once

#include <string>

#include "isa/program/program.h"
#include "isa/table/findings.h"
#include "traces/model/trace.h"

namespace warpsim {

// Whether there is a trace in which one can go to a cycle, or the same command makes one.
enum class FaultTrace : bool { None, Made };

std::string draw_fault(const Program& program, unsigned lanes, const TraceFinding& fault,
                       FaultTrace trace = FaultTrace::Made);
// A message in the words of the program's source: CUDA's, or PTX's.
std::string said_of(const Program& program, const Message& message);
std::uint64_t first_cycle(const TraceFinding& fault);  // of those to look at; 0: none
SourceRange place_of(const Program& program, const TraceFinding& fault);
Severity severity_of(const TraceFinding& fault);  // of one without a code that is known: an error
// "line 17, pc 3: add.s32 %a, %b, %c"
std::string instruction_at(const Program& program, std::int32_t pc);

// "lanes 0-3 (0x0000000f)"
std::string lanes_and_mask(LaneMask lanes, unsigned width);
// A line below such a message, as wide as a terminal.
std::string below(const std::string& text);

}  // namespace warpsim
