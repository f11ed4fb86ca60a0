// How far a launch is, in words.
#include "host/exec/progress.h"

#include <gtest/gtest.h>

namespace warpsim {
namespace {

using host::progress_text;

TEST(Progress, SaysHowManyHowFastAndHowLong) {
  EXPECT_EQ(progress_text("sum, launch 3", 120, 4096, 2),
            "warpsim: sum, launch 3: 120 of 4096 blocks, 60 a second, 66 s left");
  EXPECT_EQ(progress_text("sum, launch 1", 0, 1, 7), "warpsim: sum, launch 1: 0 of 1 block, 7 s") << "nobody knows yet";
  EXPECT_EQ(progress_text("k", 1, 3, 100), "warpsim: k: 1 of 3 blocks, 3 min left") << "200 s";
  EXPECT_EQ(progress_text("k", 1, 101, 100), "warpsim: k: 1 of 101 blocks, 2 h 46 min left") << "10000 s";
}

}  // namespace
}  // namespace warpsim
