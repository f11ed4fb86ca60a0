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
  bool has_format = false;             // NAME/FORMAT
  std::string_view more_english = {};  // what `help NAME` adds
  std::string_view more_korean = {};
};

// What `info` can be asked about.
struct Stepper::Subject {
  std::string_view names;  // apart by blanks; gdb's and cuda-gdb's words
  std::string_view usage;  // "": no words may follow
  std::string_view english;
  std::string_view korean;
  void (Stepper::*run)(std::string_view rest);
};

}  // namespace warpsim::tools
