// Test results as JUnit XML, which CI systems read.
//
// Shapes: one <testsuite> a program, one <testcase> a run, with all messages about it as its text. No times: the same
//         results give the same bytes.
// Errors: none: control characters, which XML 1.0 cannot hold, become spaces.
// Source: the schema of Apache Ant's and Jenkins' JUnit reports.
#pragma once

#include <string>
#include <vector>

namespace warpsim::tools {

struct JUnitCase {
  // A failure is a wrong result; an error is that there is none.
  enum class Outcome { Passed, Skipped, Failure, Error };
  std::string suite, name;  // "p26/butterfly_parallel_max", "test at 8 lanes"
  Outcome outcome = Outcome::Passed;
  std::string message;  // one line, of what has not passed
  std::string text;     // all that there is to say about that
  std::string output;   // and beside it, whatever the outcome
};

// Cases of one suite are adjacent.
std::string junit_xml(const std::vector<JUnitCase>& cases);

}  // namespace warpsim::tools
