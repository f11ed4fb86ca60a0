// Assembly text → Module and Lessons.
//
// Shapes: assemble() reads one source text that holds kernels, each with its cases. It goes on after an error, so one
//         run reports them all; the lessons are returned only if there are none.
// Errors: Diagnostics, codes A… (and V…, C… from the verifier and the cases, which it calls).
// Source: PTX ISA 9.0, chapter 4 "Syntax"; the sugar beside PTX is described in isa/SYNTAX.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/program/lesson.h"
#include "isa/text/diagnostic.h"

namespace warpsim {

struct Assembled {
  std::vector<Lesson> lessons;  // one a kernel, as the text has them; empty exactly if diagnostics has an error
  Diagnostics diagnostics;
  // The first; null if there is none.
  const Lesson* lesson() const { return lessons.empty() ? nullptr : &lessons.front(); }
};

// `file` is the name that messages print; `group` is the programs' group if the text does not say.
[[nodiscard]] Assembled assemble(std::string_view text, std::string file, std::string group = "");

}  // namespace warpsim
