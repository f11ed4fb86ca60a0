// A CUDA program as a child of the command, with warpsim's libraries in it and in its children.
//
// Shapes: it has this process's own input, output and rights; what the libraries find comes in as records, in the order
//         in which it was found (host/exec/exec_report.h).
// Errors: an ExecEnd that says that it could not be started, and why.
// Source: POSIX.1-2017, posix_spawn; Linux: pidfd_open(2).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/exec/exec_options.h"

namespace warpsim::tools {

struct ExecEnd {
  bool was_started = false;
  int start_error = 0;  // of errno, where it was not
  int exit_code = -1;   // -1: a signal ended it
  int signal = 0;
};

// The folder of the libraries: beside the command where it was built, or where it was installed. "": they are not
// there.
std::string cuda_folder();

// Runs it to its end; `record` is called with each record as it comes. Launches are timed with a profile; null: not.
ExecEnd run_program(const std::string& path, const std::vector<std::string>& words, host::ExecOptions options,
                    const std::shared_ptr<const TimingProfile>& timing,
                    const std::function<void(std::string_view record)>& record);

}  // namespace warpsim::tools
