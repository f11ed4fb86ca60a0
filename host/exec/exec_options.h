// What `warpsim exec` tells the libraries that it puts into a program: one variable of the environment, which the
// program's children inherit.
//
// Shapes: a JSON object; what is not said has the value below.
// Units:  launches count from 1, in each process.
// Errors: a text that is none of ours gives the values below.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/timing/profile.h"

namespace warpsim::host {

inline constexpr const char* kExecVariable = "WARPSIM_EXEC";

struct ExecOptions {
  bool checks = true;
  std::vector<std::string> only;  // kernels that are checked and timed, as a shell's patterns; none: all
  std::uint64_t first_launch = 1, last_launch = std::numeric_limits<std::uint64_t>::max();  // … and which launches
  std::string report;                     // the file that findings are appended to; "": they go to standard error
  std::string trace, trace_kernel = "*";  // the file of a trace, "" for none, and of which kernel …
  std::uint64_t trace_number = 1;         // … which launch, from 1
  bool leaks = true;
  bool fuzzes_streams = false;        // work of streams is done in an order that CUDA leaves open …
  std::uint64_t streams_seed = 0;     // … by this
  std::string profile, profile_name;  // the file of a timing profile, and what it is called; "": nothing is timed
  bool times_code = false;            // … by the machine code of the program, where it has some for the device
  std::string ptxas;                  // makes it of the PTX where it has none; "": it is not there
  std::string engine;                 // "interpreter", "compiled", else where it pays
  std::uint64_t threads = 0;          // of the host, that blocks may be spread over; 0: as many as it has
  bool logs_engine = false;           // what executed each launch is said
  std::uint64_t max_cycles = 0;       // after which a launch is stopped; 0: never

  // Whether --only and --launches name the launch.
  bool names_launch(const std::string& kernel, std::uint64_t number) const;
};

// The profile that the options name; null: its file is not there, or holds none.
std::shared_ptr<const TimingProfile> read_timing(const ExecOptions& options);

std::string to_text(const ExecOptions& options);
ExecOptions exec_options_from(std::string_view text);

// As a shell matches names: *, ? and [abc].
bool matches(const std::string& pattern, const std::string& name);

}  // namespace warpsim::host
