// Test results as JUnit XML, which CI systems read.
//
// Shapes: one <testsuite> a program, one <testcase> a run. No times: the same results give the same bytes.
// Errors: none: control characters, which XML 1.0 cannot hold, become spaces.
// Source: the schema of Apache Ant's and Jenkins' JUnit reports.
#pragma once

#include <string>
#include <vector>

namespace warpsim::tools {

struct TestRun {
  enum class Status { Passed, Unchecked, Skipped, Mismatch, Trap, Error };
  std::string program;  // "p26/butterfly_parallel_max"
  std::string name;     // "test at 8 lanes"
  Status status = Status::Passed;
  std::string message;  // "" if there is nothing to say
};

std::string junit_xml(const std::vector<TestRun>& runs);

}  // namespace warpsim::tools
