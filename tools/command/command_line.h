// The command line: from words to Options, and what can be said about it.
//
// Shapes: built from all_verbs() and from the catalogue's puzzles; describe() is the same definition as plain data,
//         from which the completions are made.
// Errors: parse() returns what is wrong, with "did you mean" where a word is near.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/session/catalogue.h"
#include "tools/session/options.h"

namespace warpsim::tools {

struct Parsed {
  enum class Kind { Run, Print, Wrong } kind = Kind::Run;  // Print: `text` is the answer (help, version)
  std::string text;                                        // Wrong: the message
  std::string hint;
};

struct OptionInfo {
  std::vector<std::string> names;  // "-o", "--output"
  std::string description;
  bool takes_value = false;
  std::vector<std::string> choices;      // what the value can be, where that is a list
  std::vector<std::string> names_known;  // what it can be besides a file
};

struct VerbInfo {
  std::string name, description, operand;
  std::vector<std::string> operand_choices;
  std::vector<OptionInfo> options;
};

class CommandLine {
 public:
  explicit CommandLine(const Catalogue& catalogue);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Parsed parse(const std::vector<std::string>& words, Options& options);
  std::string help(std::string_view verb) const;  // of the command itself for ""; "" if there is no such verb
  std::vector<VerbInfo> describe() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The folder that --programs names, before anything else is understood: the puzzles' verbs depend on it.
std::string programs_folder(const std::vector<std::string>& words);

}  // namespace warpsim::tools
