// Other programs: their input and output in memory, or started and left alone.
//
// Shapes: the words of a command line, the program first; it is looked for on the PATH. No shell reads them.
// Units:  bytes, milliseconds.
// Errors: returned; a program that is not there is `is_there == false`.
// Source: POSIX.1-2017, posix_spawnp, poll.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpsim::tools {

// As a program is started with them: pointers into the words, and a null behind.
std::vector<char*> pointers_to(const std::vector<std::string>& words);

struct ChildResult {
  bool is_there = false;  // the program was found and could be started
  int exit_code = -1;     // -1: a signal ended it
  std::string out, err;   // what it wrote
  bool is_fine() const { return is_there && exit_code == 0; }
};

// Runs a program to its end.
ChildResult run_child(const std::vector<std::string>& words, std::string_view input);

// Starts a program that may outlive this one, without its terminal. True if it still runs after `patience_ms`, or has
// ended with 0 before.
bool start_child(const std::vector<std::string>& words, int patience_ms);

}  // namespace warpsim::tools
