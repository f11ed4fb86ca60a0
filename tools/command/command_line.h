// The command line: from words to Options, and what can be said about it.
//
// Shapes: built from all_verbs() and from the catalogue's puzzles; describe() is the same definition as plain data,
//         from which the completions and the manual page are made.
// Errors: parse() returns what is wrong, with "did you mean" where a word is near.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/manual/verb_info.h"
#include "tools/session/catalogue.h"
#include "tools/session/options.h"

namespace warpsim::tools {

struct Parsed {
  enum class Kind { Run, Print, Wrong } kind = Kind::Run;  // Print: `text` is the answer (help, version)
  std::string text;                                        // Wrong: the message
  std::string hint;
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
  ManualText manual_text() const;  // what the help says beside the verbs

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The folder that --programs names, before anything else is understood: the puzzles' verbs depend on it.
std::string programs_folder(const std::vector<std::string>& words);

}  // namespace warpsim::tools
