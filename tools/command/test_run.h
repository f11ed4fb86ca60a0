// One case at one lane count, and what came of it: what `test` does, and what the page of the programs says.
//
// Shapes: a run that is not as expected is also reported to the Reply, in full.
// Units:  none.
// Errors: in the status; the exit code is the Reply's.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "isa/program/lesson.h"
#include "sim/statistics/counts.h"
#include "tools/command/verbs.h"
#include "tools/report/junit.h"

namespace warpsim::tools {

struct TestRun {
  enum class Status { Passed, Unchecked, Skipped, Mismatch, Trap, Error };
  std::string program;  // "p26/butterfly_parallel_max"
  std::string name;     // "test at 8 lanes"
  Status status = Status::Passed;
  std::string message;          // one line; "" if there is nothing to say
  std::string messages;         // all that was said about it, as people read it
  ExactnessCounts exactness{};  // of its instructions

  bool failed() const { return status == Status::Mismatch || status == Status::Trap || status == Status::Error; }
};

std::string run_name(const Case& one, unsigned lanes);

std::vector<JUnitCase> junit_cases(const std::vector<TestRun>& runs);

// Warnings that do not fail the run: each once a program and place.
using ShownWarnings = std::set<std::tuple<std::string, std::string, std::int32_t>>;
// Reports those that are not among `shown` yet, and adds them.
TestRun test_run(Session& session, const Lesson& program, const Case& one, unsigned lanes, ShownWarnings& shown);

}  // namespace warpsim::tools
