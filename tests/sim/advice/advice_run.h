// What the tests of advice share: a run, and what the advice says of it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/advice/advice.h"
#include "tests/support/every_program.h"
#include "tests/support/run.h"

namespace warpsim::testing {

struct Advised {
  Ran ran;
  std::vector<RunFinding> found;

  std::uint32_t line(const RunFinding& one) const {
    return ran.program->code.at(static_cast<std::size_t>(one.pc)).where.line;
  }
  std::vector<std::string> messages(Finding code) const {
    std::vector<std::string> list;
    for (const RunFinding& one : found)
      if (one.code == code) list.push_back(english(one.message));
    return list;
  }
};

inline Advised advise(const std::string& text, RunSetup setup = {}) {
  Advised out;
  Advice advice;
  setup.sinks = {&advice};
  for (const char* const name : {"input", "output"})
    if (setup.buffers.count(name) == 0) setup.buffers[name] = std::vector<std::uint64_t>(2048, 1);
  out.ran = run_text(text, setup);
  EXPECT_TRUE(out.ran.result.ok) << english(out.ran.result.trap.message);
  out.found = advice.found();
  testing::expect_korean(out.found);
  return out;
}

inline RunSetup on(unsigned lanes) {
  RunSetup setup;
  setup.lanes = lanes;
  return setup;
}

using Messages = std::vector<std::string>;

}  // namespace warpsim::testing
