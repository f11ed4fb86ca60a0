// When lines of code come, counted by hand.
#include "sim/timing/code_cache.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpsim {
namespace {

// Two lines come with a launch; the next one 10 cycles after the one before, a far one after 100.
constexpr CodeFetchTiming kTiming{128, 8, 2, 10, 100, 1, 2};

// A warp that needs so many cycles for a line, from its begin to its end.
std::vector<std::uint64_t> begins(CodeCache& cache, std::uint32_t lines, std::uint64_t cycles_a_line) {
  std::vector<std::uint64_t> all;
  std::uint64_t cycle = 1;
  for (std::uint32_t line = 0; line < lines; ++line) {
    all.push_back(cycle = cache.enter(line, cycle));
    cycle += cycles_a_line;
  }
  return all;
}

TEST(CodeCache, OfAFirstLaunchLinesComeOneAfterTheOther) {
  CodeCache cache(kTiming, 6);
  // Lines 0 and 1 are there, and 2 is asked for at 1; 3 at 5 comes 10 after it. Who waits goes on a cycle later.
  EXPECT_EQ(begins(cache, 6, 4), (std::vector<std::uint64_t>{1, 5, 12, 22, 32, 42}));
}

TEST(CodeCache, SlowWarpsDoNotWaitForThem) {
  CodeCache cache(kTiming, 6);
  EXPECT_EQ(begins(cache, 6, 20), (std::vector<std::uint64_t>{1, 21, 41, 61, 81, 101}));
}

TEST(CodeCache, WhatAnotherLaunchLeftIsThere) {
  CodeCache cache(kTiming, 6);
  cache.warm();
  EXPECT_EQ(begins(cache, 6, 4), (std::vector<std::uint64_t>{1, 5, 9, 13, 17, 21}));
}

TEST(CodeCache, AJumpWaitsForItsLine) {
  CodeCache cache(kTiming, 20);
  EXPECT_EQ(cache.enter(0, 1), 1U);
  EXPECT_EQ(cache.enter(10, 5), 106U) << "100 cycles, and one to go on";
  EXPECT_EQ(cache.enter(11, 110), 116U) << "10 behind it";
  EXPECT_EQ(cache.enter(0, 200), 200U);
}

// Eight lines in four sets of two: of the lines 0, 4 and 8 the one used longest ago gives way.
TEST(CodeCache, OfASetTheOldestGivesWay) {
  CodeFetchTiming timing = kTiming;
  timing.ahead = 0;
  CodeCache cache(timing, 12);
  EXPECT_EQ(cache.enter(0, 1), 102U);
  EXPECT_EQ(cache.enter(4, 200), 301U);
  EXPECT_EQ(cache.enter(0, 400), 400U);
  EXPECT_EQ(cache.enter(8, 500), 601U) << "in the place of 4";
  EXPECT_EQ(cache.enter(0, 700), 700U);
  EXPECT_EQ(cache.enter(4, 800), 901U);
}

// Nine lines in a cache of eight: 8 took the place of 0, which a launch asks for, in that of 4. So 4 and 8 are fetched.
TEST(CodeCache, ALittleTooMuchMissesALittle) {
  CodeCache cache(kTiming, 9);
  cache.warm();
  EXPECT_EQ(begins(cache, 9, 4), (std::vector<std::uint64_t>{1, 5, 9, 13, 20, 24, 28, 32, 39}));
}

}  // namespace
}  // namespace warpsim
