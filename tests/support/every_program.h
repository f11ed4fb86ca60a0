// The traces of programs, for tests: of one, of one that the test writes, of all for properties that every one must
// have.
//
// Shapes: each program's first case at 8 lanes, or at the lowest count above that it runs at, or below.
// Units:  none.
// Errors: a program that does not run fails the test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "programs/embedded.h"
#include "tests/support/program_run.h"

namespace warpsim::testing {

// The catalogue's. Litmus programs race on purpose; tests/litmus has their tests.
inline std::vector<std::string> all_program_names() {
  std::vector<std::string> groups;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(WARPSIM_SOURCE_DIR) + "/programs")) {
    const std::string group = entry.path().filename().string();
    if (entry.is_directory() && group != "litmus" && !shows_mistakes(group)) groups.push_back(group);
  }
  std::sort(groups.begin(), groups.end());
  return programs_in(groups);
}

inline unsigned about_8_lanes(const Lesson& program, const Case& one) {
  const std::vector<unsigned> counts = lane_counts(program, one);
  for (const unsigned lanes : counts)
    if (lanes >= 8) return lanes;
  return counts.back();
}

inline Trace program_trace(const std::string& name, const std::string& case_name, unsigned lanes) {
  CaseOverrides overrides;
  overrides.lanes = lanes;
  RecordedRun run = record_run(name, case_name, overrides);
  EXPECT_EQ(run.error, "") << name;
  return std::move(run.trace);
}

// Of a program written in the test, its first case.
inline Trace text_trace(const std::string& text, unsigned lanes, CaseOverrides overrides = {}) {
  const Assembled assembled = assemble(text, "t.warp");
  EXPECT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
  if (!assembled.lesson()) return {};
  overrides.lanes = lanes;
  RecordedRun run = record_run(*assembled.lesson(), assembled.lesson()->cases.at(0), overrides);
  EXPECT_EQ(run.error, "");
  return std::move(run.trace);
}

// The lane counts of a case in turn, so that all programs together cover all of them.
class LanesInTurn {
 public:
  unsigned operator()(const Lesson& program, const Case& one) {
    const std::vector<unsigned> counts = lane_counts(program, one);
    return counts.at(turn_++ % counts.size());
  }

 private:
  std::size_t turn_ = 0;
};

// Calls check(program, trace).
template <class Check, class Lanes = decltype(&about_8_lanes)>
void for_each_program(Check check, Lanes lanes = &about_8_lanes) {
  int count = 0;
  for (const std::string& name : all_program_names()) {
    SCOPED_TRACE(name);
    const Assembled assembled = assemble_program(name);
    ASSERT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
    const Case& one = assembled.lesson()->cases.at(0);
    CaseOverrides overrides;
    overrides.lanes = lanes(*assembled.lesson(), one);
    const RecordedRun run = record_run(*assembled.lesson(), one, overrides);
    ASSERT_EQ(run.error, "");
    check(*assembled.lesson(), run.trace);
    ++count;
  }
  EXPECT_GE(count, 98);
}

}  // namespace warpsim::testing
