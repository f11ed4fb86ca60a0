// Assembly text → Program.
//
// Shapes: assemble() reads one source text that holds one kernel and its cases. It goes on after an error, so one run
//         reports them all; the program is returned only if there are none.
// Errors: Diagnostics, codes A… (and V…, C… from the verifier and the cases, which it calls).
// Source: PTX ISA 9.0, chapter 4 "Syntax"; the sugar beside PTX is described in isa/SYNTAX.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isa/program/program.h"
#include "isa/text/diagnostic.h"

namespace warpsim {

struct Assembled {
  std::optional<Program> program;  // empty exactly if diagnostics has an error
  Diagnostics diagnostics;
};

// `file` is the name that messages print; `name` and `group` are what the program is called if the text does not say.
[[nodiscard]] Assembled assemble(std::string_view text, std::string file, std::string group = "");

}  // namespace warpsim
