// `--timing machine-code` where ptxas makes the code: of CUDA C++, and of programs that cannot be timed so.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/ptxas.h"
#include "tests/tools/command/one_file_case.h"

namespace warpsim {
namespace {

OneFileCase timed(const std::string& command, const std::string& file, const std::string& text) {
  OneFileCase one;
  one.command = "warpsim " + command + " --profile h200 --timing machine-code";
  one.files = {{file, text}};
  return run_case(one, WARPSIM_BINARY_DIR);
}

TEST(CodeTrace, WhatReadsAClockIsNotTimed) {
  WARPSIM_NEEDS_PTXAS();
  const OneFileCase one = timed("run clock.warp --lanes 32", "clock.warp",
                                ".kernel clock (out output: u32[W])\n"
                                "        mov.u32 %now, %clock\n"
                                "        st.global.u32 output[%laneid], %now\n"
                                "        exit\n"
                                ".case test\n");
  EXPECT_EQ(one.exit_code, 5);
  EXPECT_EQ(one.out, "") << "no cycles";
  EXPECT_NE(one.err.find("the machine code leaves other values in output than the program does"), std::string::npos)
      << one.err;
}

// Every lane adds its number: what the buffer holds is what the last lanes have left.
TEST(CodeTrace, AnAtomicThatGivesNothingBackLeavesTheLastValue) {
  WARPSIM_NEEDS_PTXAS();
  const OneFileCase one = timed("trace add.warp --lanes 32 --json", "add.warp",
                                ".kernel add (inout sum: u32[1])\n"
                                "        mov.u32 %mine, %laneid\n"
                                "        red.global.add.u32 sum[0], %mine\n"
                                "        exit\n"
                                ".case test\n"
                                "    sum = 4\n");
  ASSERT_EQ(one.exit_code, 0) << one.err;
  const auto answer = nlohmann::json::parse(one.out);
  nlohmann::json last;
  for (const auto& event : answer["result"]["trace"]["events"])
    if (event.contains("memory") && event["memory"]["access"] != "load") last = event["memory"];
  ASSERT_TRUE(last.is_object());
  const auto& stored = last["access"] == "atomic" ? last["stored"] : last["values"];
  EXPECT_EQ(stored.back(), 4 + 31 * 32 / 2);
}

}  // namespace
}  // namespace warpsim
