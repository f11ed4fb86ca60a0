// What `warpsim check` found in all its runs, as data: what is printed, written as SARIF and as JUnit XML comes from it.
//
// Shapes: one CheckedFinding a program, code and instruction, however many runs showed it. Findings stand in the order
//         of programs, then of their first sighting.
// Errors: none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/findings.h"
#include "isa/source.h"
#include "traces/trace.h"

namespace warpsim::tools {

// A run in which something was found.
struct Sighting {
  std::string case_name;
  unsigned lanes = 32;
  std::string schedule, reconvergence;  // "rr" or "fuzz:7"; "stack" or "independent"
};

struct CheckedFinding {
  std::string program;  // "p26/butterfly_parallel_max"
  std::string file;     // as messages print it
  Finding code{};
  Severity severity{};
  SourceRange where;     // line 0: of no line
  TraceFinding finding;  // as the first sighting told it: message, hint, lanes, steps, places
  bool traps = false;    // it ended the run
  std::vector<Sighting> seen;
  std::string drawn, json;                   // as people read it; its entry among the diagnostics
  std::optional<std::string> suppressed_by;  // the line of the file of suppressions, and its reason
};

struct CheckedRun {
  std::string program, case_name;
  unsigned lanes = 32;
  std::vector<std::size_t> findings;  // numbers of those that it showed, the suppressed ones too
  std::string error;                  // it could not be run at all: why
};

struct CheckReport {
  std::vector<CheckedFinding> findings;
  std::vector<CheckedRun> runs;
  std::uint64_t exact = 0, approximate = 0, unsupported = 0;  // executed warp instructions, of all runs together
};

}  // namespace warpsim::tools
