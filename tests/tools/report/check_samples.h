// A report as `warpsim check` makes it, by hand: what tests of its forms print.
#pragma once

#include <string>

#include "tools/report/check_report.h"

namespace warpsim::testing {

// A program of eleven lines with the labels `publish` (line 6) and `read` (line 9); lines 5 and 7 hold the same
// statement.
extern const char* const kHandOn;

// In this order: a race of two warps in line 9, a value from out of range in line 7, advice about line 6, and a wrong
// output, of no line. Runs: demo/hand_on at 8 lanes (the first three), at 32 (the race and the wrong output),
// demo/clean, and one that does not assemble.
tools::CheckReport sample_report(const std::string& text = kHandOn);

}  // namespace warpsim::testing
