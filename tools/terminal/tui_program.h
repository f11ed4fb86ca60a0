// The lines of the program that the full-screen stepper shows: instructions and labels.
//
// Shapes: each line keeps its number in the text. Directives, cases and remarks between them are left out: they are not
//         executed, and rows are few.
// Units:  lines of the program's text, from 1.
// Errors: none: of a trace without its text the instructions' own texts are shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/debugger/numbered_lines.h"
#include "traces/model/trace.h"

namespace warpsim::tools {

struct ProgramLine {
  std::uint32_t line = 0;
  std::string text;  // with one blank before an instruction that has no label
};
// Of a program with sources: all lines of the file that `near` is in, by their numbers among all files.
std::vector<ProgramLine> program_lines(const TraceHead& head, const NumberedLines& lines, std::uint32_t near);
// The place in that list of a line, or of the next one below it.
std::size_t place_of_line(const std::vector<ProgramLine>& lines, std::uint32_t line);

// Blanks that only align cost columns: one is enough.
std::string squeezed(std::string_view text);

}  // namespace warpsim::tools
