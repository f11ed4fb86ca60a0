// The head of a trace of machine code: its listing is the program, and each instruction has the line of the text that
// the machine code was made from.
//
// Shapes: `pc` is an instruction's place in the code; the NOPs that fill the code's end are left out. Registers are
//         those that occur: %R4, %UR4, %P0, %UP0. What is said of an instruction (`doc`) is its line of the PTX.
// Units:  as trace.h.
// Errors: none: an instruction without a line has no place.
// Source: isa/sass/cubin.h for the lines.
#pragma once

#include <cstdint>
#include <span>

#include "isa/sass/cubin.h"
#include "isa/sass/instruction.h"
#include "traces/model/trace.h"

namespace warpsim {

struct CodeHead {
  const sass::Cubin* cubin = nullptr;
  const sass::CodeSection* section = nullptr;
  // Of a program that was written as PTX, its line for each line of that; empty of one that was PTX from the start.
  std::span<const std::uint32_t> program_lines;
};

// `of_program` is the head of the program's own run, and stays but for what is of its instructions.
TraceHead code_head(TraceHead of_program, const CodeHead& code);

}  // namespace warpsim
