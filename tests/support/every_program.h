// One recorded trace of every program: its case `test` or its first, at one lane count.
//
// Shapes: for_each_program(f): f(name, trace). Lane counts vary with the program, so that all are met.
// Errors: a program that does not assemble or run fails the test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/program_run.h"

namespace warpsim::testing {

inline std::vector<std::string> all_program_names() {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(WARPSIM_SOURCE_DIR) / "programs"))
    if (entry.path().extension() == ".warp")
      names.push_back(entry.path().parent_path().filename().string() + "/" + entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

template <class F>
void for_each_program(F f) {
  std::size_t k = 0;
  for (const std::string& name : all_program_names()) {
    SCOPED_TRACE(name);
    const Assembled assembled = assemble_program(name);
    ASSERT_TRUE(assembled.program.has_value()) << assembled.diagnostics.render();
    const Case* one = assembled.program->find_case("test");
    if (one == nullptr) one = &assembled.program->cases.at(0);
    const std::vector<unsigned> counts = lane_counts(*assembled.program, *one);
    CaseOverrides overrides;
    overrides.lanes = counts.at(k++ % counts.size());
    const RecordedRun run = record_run(*assembled.program, *one, overrides);
    ASSERT_EQ(run.error, "");
    f(name, run.trace);
  }
}

}  // namespace warpsim::testing
