// The stepper's commands: one table, for finding, helping and completing.
#pragma once

#include "tools/debugger/stepper.h"

namespace warpsim::tools {

struct Stepper::Command {
  std::string_view name;
  std::string_view aliases;  // apart by blanks; gdb's words
  std::string_view usage;    // "": no words may follow
  std::string_view english;  // what it does, one line
  std::string_view korean;
  bool repeats;  // Enter does it again
  void (Stepper::*run)(std::string_view rest);
  bool has_format = false;  // NAME/FORMAT
};

}  // namespace warpsim::tools
