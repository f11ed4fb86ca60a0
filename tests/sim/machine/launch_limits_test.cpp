// Machine::create refuses the launches that a GPU refuses, in the words that prepare_case uses.
//
// Source: CUDA C++ Programming Guide 13.0, table "Technical Specifications".
#include <gtest/gtest.h>

#include "tests/support/run.h"

namespace warpsim {
namespace {

using testing::Ran;
using testing::run_text;
using testing::RunSetup;

// "L002 message | hint"; "" if the launch is accepted.
std::string refusal(const RunSetup& setup) {
  const Ran ran = run_text(".kernel k ()\n exit\n", setup);
  EXPECT_EQ(ran.machine == nullptr, !ran.error.code.empty());
  return ran.machine != nullptr ? "" : ran.error.code + " " + ran.error.message + " | " + ran.error.hint;
}

TEST(LaunchLimits, ADimensionOfZeroIsRefused) {
  for (const Dim3 none : {Dim3{0, 1, 1}, Dim3{3, 0, 1}, Dim3{3, 1, 0}})
    EXPECT_EQ(refusal({.lanes = 4, .grid = none}).substr(0, 12), "L002 a grid ") << none.x << " " << none.y;
  // x = 0 alone means one warp.
  EXPECT_EQ(refusal({.lanes = 4, .block = {0, 1, 1}}), "");
  EXPECT_EQ(refusal({.lanes = 4, .block = {8, 0, 1}}),
            "L002 a block of 8x0x1 threads has none | every dimension is at least 1");
  EXPECT_EQ(refusal({.lanes = 4, .block = {8, 1, 0}}),
            "L002 a block of 8x1x0 threads has none | every dimension is at least 1");
  EXPECT_EQ(refusal({.grid = {0, 1, 1}}), "L002 a grid of 0x1x1 blocks has none | every dimension is at least 1");
}

TEST(LaunchLimits, ABlockHasAtMost1024Threads) {
  for (const Dim3 fits : {Dim3{1024, 1, 1}, Dim3{1, 1024, 1}, Dim3{16, 1, 64}, Dim3{32, 32, 1}})
    EXPECT_EQ(refusal({.block = fits}), "") << fits.x << "x" << fits.y << "x" << fits.z;
  const std::string hint = " | at most 1024x1024x64 and 1024 threads in all, as in CUDA";
  EXPECT_EQ(refusal({.block = {4096, 1, 1}}), "L002 a block of 4096x1x1 threads is too large" + hint);
  EXPECT_EQ(refusal({.block = {33, 32, 1}}), "L002 a block of 33x32x1 threads is too large" + hint);
  EXPECT_EQ(refusal({.block = {1, 1, 65}}), "L002 a block of 1x1x65 threads is too large" + hint);
  // The number of threads is 2^64, which is 0 in 64 bits.
  EXPECT_EQ(refusal({.block = {1U << 31, 1U << 31, 4}}).substr(0, 5), "L002 ");
}

TEST(LaunchLimits, AGridHasAtMost65535BlocksInYAndZ) {
  EXPECT_EQ(refusal({.lanes = 1, .grid = {1, 65535, 1}}), "");
  EXPECT_EQ(refusal({.lanes = 1, .grid = {1, 1, 65535}}), "");
  const std::string hint = " | at most 2147483647x65535x65535, as in CUDA";
  EXPECT_EQ(refusal({.grid = {0x80000000U, 1, 1}}), "L002 a grid of 2147483648x1x1 blocks is too large" + hint);
  EXPECT_EQ(refusal({.grid = {1, 65536, 1}}), "L002 a grid of 1x65536x1 blocks is too large" + hint);
  EXPECT_EQ(refusal({.grid = {1, 1, 65536}}), "L002 a grid of 1x1x65536 blocks is too large" + hint);
}

TEST(LaunchLimits, ARunNeedsACycle) {
  EXPECT_EQ(refusal({.max_cycles = 0}), "L010 max_cycles is at least 1 | ");
  EXPECT_EQ(refusal({.max_cycles = 1}), "");
}

}  // namespace
}  // namespace warpsim
