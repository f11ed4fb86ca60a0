// Why an output is not what its case expects: which inputs it should have heard of, and which it heard of.
//
// Shapes: one finding (WS0901) a wrong output. The first wrong element is looked at:
//           - who stored it, and was it the thread of its number;
//           - the inputs that the expected value depends on: each is changed in turn, and what then is expected
//             compared;
//           - the inputs that the value was computed from (traces/replay/dataflow.h), and how often each went in;
//           - what never came to the lane by any shuffle, memory or vote: then the offsets of the warp's shuffles say
//             which step is missing. What came and did not go in is told apart from it.
//         The others are summed up: "elements 1, 3, 5, 7 … are wrong: all odd ones". Steps lead to the lines involved.
//         A rule that no input changes (numbers, a closed form) says nothing about that: then closed_form.h finds what
//         the expected numbers are of the inputs; if it finds nothing, what reached the value is told.
// Units:  elements; cycles from 1, 0 where the trace has none.
// Errors: none: an output that nothing is expected of, or a run that was stopped, gives no finding.
// Source: traces/FORMAT.md. The trace must hold the whole run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/check/run_finding.h"
#include "sim/launch/launch.h"
#include "traces/model/trace.h"

namespace warpsim {

using ExpectedOutputs = std::map<std::string, Array, std::less<>>;  // by name
// What would be expected if the input held these values; empty if that cannot be said.
using Expected = std::function<ExpectedOutputs(const std::string& input, const Array& values)>;

// As the case's rules say. All three must outlive the function.
Expected expected_of(const Program& program, const Case& one, const CaseOverrides& overrides);

inline constexpr std::size_t kMaxChangedInputs = 512;     // elements
inline constexpr std::uint64_t kMostExplained = 200'000;  // instructions of a run that is worth looking into

std::vector<RunFinding> explain_wrong_answers(const Trace& trace, const Expected& expected);

}  // namespace warpsim
