// What the checker finds in a program of a few lines, for tests.
//
// Shapes: the body of a kernel with the buffer `out` and the shared array `tile`, both of 64 words.
// Units:  none.
// Errors: a program that does not assemble or does not launch fails the test.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/check/checker.h"
#include "tests/support/run.h"

namespace warpsim::testing {

struct Found {
  std::vector<RunFinding> findings;
  explicit Found(const std::string& body, unsigned lanes = 4, std::uint32_t threads = 4,
                 Reconvergence reconvergence = Reconvergence::Stack) {
    Checker sink;
    const Ran ran = run_text(".kernel k (inout out: u32[])\n.shared u32 tile[64]\n" + body + "\n exit\n",
                             {.lanes = lanes,
                              .block = {threads, 1, 1},
                              .buffers = {{"out", std::vector<std::uint64_t>(64)}},
                              .sinks = {&sink},
                              .reconvergence = reconvergence});
    EXPECT_TRUE(ran.machine != nullptr) << ran.error.message;
    findings = sink.found();
    expect_korean(findings);
  }
  // "WS0101 @2 lanes 1, 3" of each: code, pc, lanes.
  std::string text() const {
    std::string out;
    for (const RunFinding& one : findings)
      out += (out.empty() ? "" : "; ") + code(one.code) + " @" + std::to_string(one.pc) + " lanes " +
             lane_ranges(one.lanes);
    return out;
  }
  std::string steps(std::size_t k = 0) const {
    std::string out;
    for (const FindingStep& one : findings.at(k).steps)
      out += (out.empty() ? "" : "; ") + std::to_string(one.pc) + ": " + english(one.text);
    return out;
  }
};

}  // namespace warpsim::testing
