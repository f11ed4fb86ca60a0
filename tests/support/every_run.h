// Every case of every program, made ready to run at some lane counts, for tests.
//
// Shapes: one launch a (program, case, lane count); a case that fixes its lane counts comes at those of them alone.
// Units:  none.
// Errors: a program that cannot be prepared fails the test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/every_program.h"

namespace warpsim::testing {

// Calls check(program, prepared); says how many launches there were.
template <class Check>
int for_each_launch(const std::vector<unsigned>& lanes, Check check) {
  int count = 0;
  for (const std::string& name : all_program_names()) {
    const Assembled assembled = assemble_program(name);
    EXPECT_TRUE(assembled.program.has_value()) << assembled.diagnostics.render();
    if (!assembled.program) continue;
    for (const Case& one : assembled.program->cases) {
      for (const unsigned at : lane_counts(*assembled.program, one)) {
        if (std::find(lanes.begin(), lanes.end(), at) == lanes.end()) continue;
        SCOPED_TRACE(name + ", case " + one.name + " at " + std::to_string(at));
        CaseOverrides overrides;
        overrides.lanes = at;
        const std::variant<PreparedCase, LaunchError> prepared = prepare_case(*assembled.program, one, overrides);
        EXPECT_TRUE(std::holds_alternative<PreparedCase>(prepared));
        if (!std::holds_alternative<PreparedCase>(prepared)) continue;
        check(*assembled.program, std::get<PreparedCase>(prepared));
        ++count;
      }
    }
  }
  return count;
}

// Of a run without observers: its outputs by name, and how it ended.
struct Outputs {
  RunResult result;
  std::map<std::string, Array, std::less<>> arrays;
};
inline Outputs outputs_of(const Program& program, const LaunchConfig& config, const Arguments& arguments,
                          std::vector<EventSink*> sinks = {}) {
  Outputs out;
  std::variant<Machine, LaunchError> made = Machine::create(program, config, arguments);
  EXPECT_TRUE(std::holds_alternative<Machine>(made));
  if (!std::holds_alternative<Machine>(made)) return out;
  Machine& machine = std::get<Machine>(made);
  out.result = machine.run(sinks);
  for (const Param& param : program.params)
    if (param.kind == Param::Kind::Out || param.kind == Param::Kind::InOut)
      out.arrays[param.name] = machine.buffer(param.name);
  return out;
}

// Those of the outputs whose elements the program puts in no order of its own, sorted.
inline void sort_unordered(const Program& program, Outputs& out) {
  for (const Unordered& one : program.unordered) {
    std::vector<std::uint64_t>& bits = out.arrays[one.output].bits;
    std::sort(bits.begin(), bits.end());
  }
}

}  // namespace warpsim::testing
