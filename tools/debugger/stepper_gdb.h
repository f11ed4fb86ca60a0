// gdb's commands that a recorded run has no use for, each with what to do instead.
//
// Errors: none: a word that is not gdb's has no entry.
// Source: gdb's manual.
#pragma once

#include <string_view>

namespace warpsim::tools {

struct GdbWord {
  std::string_view words;  // apart by blanks
  std::string_view english, korean;
};
const GdbWord* gdb_word(std::string_view word);

}  // namespace warpsim::tools
