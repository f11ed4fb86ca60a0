// Lines of the source that a program was compiled from, CUDA C++ say: what is said of an instruction first.
//
// Shapes: of a program without sources the lines are the program's own.
// Units:  lines from 1.
// Errors: none: "" where a text is not at hand.
// Source: traces/FORMAT.md, "program".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/model/trace.h"

namespace warpsim {

// What to show of an instruction; null: it has no place in a source.
const TraceSourcePlace* place_of(const TraceHead& head, const TraceInsn& insn);
// "17"; of a program with sources "sum.cu:17", or "sum.ptx:60" where the source has no place for it.
std::string line_name(const TraceHead& head, const TraceInsn& insn);
std::string line_name(const TraceHead& head, const TraceSourcePlace& place);
// The variable of the source that a register holds behind an instruction, or at it; "": none is known.
std::string_view variable_in(const TraceHead& head, std::int32_t reg, std::int32_t pc);
// The line's text, without blanks around it.
std::string_view source_text(const TraceHead& head, const TraceSourcePlace& place);
// The place and those that it was inlined at, from the innermost on.
std::vector<const TraceSourcePlace*> frames_of(const TraceHead& head, const TraceInsn& insn);
// Whether the two show one line, inlined at the same places.
bool show_one_line(const TraceHead& head, const TraceInsn& a, const TraceInsn& b);

}  // namespace warpsim
