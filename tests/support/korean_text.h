// Whether what warpsim finds is said in Korean: for every test whose program has a finding.
//
// Shapes: english_in: "" if nothing is English.
// Errors: what is not Korean fails the test.
#pragma once

#include <string>
#include <vector>

#include "sim/check/run_finding.h"
#include "traces/model/trace.h"

namespace warpsim::testing {

// English that is not the program's own: words of three letters or more that are not between backticks, names of
// registers, elements and instructions, options, or words that Korean readers know by no other name.
std::string english_in(const std::string& text);

// Every text of these, in Korean: message, hint, steps, what the lanes of its places wait for.
void expect_korean(const TraceFinding& finding);
void expect_korean(const TraceOutcome& outcome);
void expect_korean(const std::vector<RunFinding>& findings);
void expect_korean(const Trap& trap);

}  // namespace warpsim::testing
