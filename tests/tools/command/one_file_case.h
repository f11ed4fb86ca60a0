// One-file cases: a command line, the files it needs, and exactly what it prints and how it exits.
//
// Shapes: the file reads like a session:
//           # what this shows
//           $ warpsim run pair.warp --lanes 4
//           --- file pair.warp          (any number of them, written into an empty folder before the command runs)
//           --- stdin
//           --- stdout                  (a section that is empty is left out)
//           --- stderr
//           --- exit 3
//         A section is what follows its line, up to the next such line.
// Errors: parse_case() returns what is wrong with the file.
// Source: after the tests of wabt, which have the same parts in one file and the same switch to rewrite them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warpsim {

struct OneFileCase {
  std::string comment;  // with its # signs
  std::string command;
  std::vector<std::pair<std::string, std::string>> files;
  std::string in, out, err;
  int exit_code = 0;
};

struct ParsedCase {
  OneFileCase one;
  std::string error;  // "" if there is none
};

ParsedCase parse_case(const std::string& text);
std::string to_text(const OneFileCase& one);
// Runs the command in a folder of its own, with `binary_folder` first on the PATH; returns the case with what it
// printed.
OneFileCase run_case(const OneFileCase& one, const std::string& binary_folder);

}  // namespace warpsim
