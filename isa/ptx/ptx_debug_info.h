// Which variable of the source a register holds, as debug information says it (nvcc -G).
//
// Shapes: a row a variable and stretch of code, between two labels of a function.
// Units:  none.
// Errors: none: what is not understood says nothing.
// Source: DWARF 2 to 4, chapters 2.6, 3 and 7; CUDA's way to write a register's name as a number: its characters, the
//         last one lowest, as DW_OP_regx.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/ptx/ptx_syntax.h"

namespace warpsim::ptx {

struct DebugVariable {
  std::string name;             // "i"
  std::string register_name;    // "%r1"
  std::string_view first, end;  // labels
};
std::vector<DebugVariable> debug_variables(const Module& module);

}  // namespace warpsim::ptx
