// A kernel of a few lines, assembled, for tests of what is known of a program before it runs.
//
// Shapes: the body of a kernel with the buffer `o`.
// Units:  none.
// Errors: a text that does not assemble fails the test.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "isa/assembly/assembler.h"

namespace warpsim::testing {

inline Lesson kernel_of(const std::string& body, const std::string& parameters = "out o: u32[]") {
  const Assembled assembled = assemble(".kernel k (" + parameters + ")\n" + body, "test.warp");
  EXPECT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
  return assembled.lesson() == nullptr ? Lesson{} : *assembled.lesson();
}

// The names of the registers of which `is(number)` is true, in the program's order: "%a %b".
template <class Is>
std::string names_where(const Program& program, Is is) {
  std::string names;
  for (std::size_t reg = 0; reg < program.registers.size(); ++reg)
    if (is(reg)) names += (names.empty() ? "" : " ") + program.registers[reg].name;
  return names;
}

}  // namespace warpsim::testing
