// Test results as JUnit XML, which CI systems read.
//
// Shapes: one <testsuite> a program, one <testcase> a run, with all messages about it as its text. No times: the same
//         results give the same bytes.
// Errors: none: control characters, which XML 1.0 cannot hold, become spaces.
// Source: the schema of Apache Ant's and Jenkins' JUnit reports.
#pragma once

#include <string>
#include <vector>

#include "tools/test_run.h"

namespace warpsim::tools {

std::string junit_xml(const std::vector<TestRun>& runs);

}  // namespace warpsim::tools
