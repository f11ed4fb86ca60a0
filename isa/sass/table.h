// A row of the table of machine instructions.
//
// Shapes: `base` is bits 0-8 of an instruction, `forms` the values of bits 9-11 that the row is for, a digit each. The
//         first row that fits an instruction says what it is.
// Errors: faults_of_table() names what cannot be read.
// Source: instructions.def.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpsim::sass {

struct Row {
  std::uint16_t base;
  std::string_view forms, name, fields;
};

}  // namespace warpsim::sass
