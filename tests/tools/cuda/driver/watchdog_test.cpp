// The watchdog ends a process that waits for too long, and leaves alone one that does not.
#include "tools/cuda/driver/watchdog.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace warpsim {
namespace {

// Started anew instead of forked: threads of other tests do not come along.
class WatchdogDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(WatchdogDeathTest, WhatNeverEndsIsStopped) {
  EXPECT_EXIT(
      {
        Watchdog watchdog(1);
        watchdog.watch("p99_endless");
        for (;;) pause();
      },
      ::testing::ExitedWithCode(4),
      "^warpsim: error: p99_endless has not ended on the GPU after 1 s: stopped\n"
      "  hint: .*--gpu-seconds N\n$");
}

// What has ended does not count, however long the process lives.
TEST_F(WatchdogDeathTest, WhatHasEndedIsLeftAlone) {
  EXPECT_EXIT(
      {
        Watchdog watchdog(2);
        watchdog.watch("p99_short");
        watchdog.rest();
        std::this_thread::sleep_for(std::chrono::seconds(3));
        std::_Exit(23);
      },
      ::testing::ExitedWithCode(23), "^$");
}

TEST_F(WatchdogDeathTest, TheLastThatIsWatchedIsNamed) {
  EXPECT_EXIT(
      {
        Watchdog watchdog(1);
        watchdog.watch("the compiler");
        watchdog.rest();
        watchdog.watch("the kernel");
        for (;;) pause();
      },
      ::testing::ExitedWithCode(4), "the kernel has not ended");
}

// One that watches nothing goes without waiting.
TEST(Watchdog, EndsWithoutHavingWatched) { Watchdog watchdog(86'400); }

}  // namespace
}  // namespace warpsim
