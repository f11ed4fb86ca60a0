// The verbs and their options as plain data: what completions and the manual page are made from.
//
// Shapes: CommandLine::describe() fills them from the parser's own definition, so that there is no second list.
// Errors: none.
#pragma once

#include <string>
#include <vector>

namespace warpsim::tools {

struct OptionInfo {
  std::vector<std::string> names;  // "-o", "--output"
  std::string description;
  std::string value;  // what it takes, as the help writes it: "FILE"; "" if it takes nothing
  bool takes_value = false;
  std::vector<std::string> choices;      // what the value can be, where that is a list
  std::vector<std::string> names_known;  // what it can be besides a file
};

struct VerbInfo {
  std::string name, description, operand;
  std::vector<std::string> operand_choices;
  std::vector<OptionInfo> options;
  std::string operand_text;  // what the operand is
  std::string more;          // what the help says below the options, its lines broken
};

// What the help of the whole command says beside the verbs.
struct ManualText {
  std::string about, names, exit_codes;
};

}  // namespace warpsim::tools
