// Reductions and scans in a trace: as one step, or as the shuffles that a GPU runs for them.
//
// Shapes: an instruction of an expanded collective has the line of the collective in the program's text.
// Errors: none: a trace without the program's text has no expanded collectives.
// Source: isa/program/expand.h.
#pragma once

#include <cstdint>
#include <vector>

#include "traces/model/trace.h"

namespace warpsim {

enum class CollectiveForm : std::uint8_t { None, OneStep, Shuffles };

// Of the program that ran: None without a reduction or scan.
CollectiveForm collective_form(const TraceHead& head);

// By pc: whether the instruction stands for a part of a reduction or scan.
std::vector<bool> expanded_instructions(const TraceHead& head);

}  // namespace warpsim
