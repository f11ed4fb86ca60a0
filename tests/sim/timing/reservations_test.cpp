#include "sim/timing/reservations.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace warpsim {
namespace {

TEST(Reservations, WhatComesEarlierFindsItsPlaceBeforeWhatWasAskedForFirst) {
  Reservations pipe;
  EXPECT_EQ(pipe.take(0, 10, 5), 10U);
  EXPECT_EQ(pipe.take(0, 0, 5), 0U);
  EXPECT_EQ(pipe.take(0, 1, 6), 15U) << "from 5 to 10 there is not room enough";
  EXPECT_EQ(pipe.take(0, 2, 3), 5U);
  EXPECT_EQ(pipe.take(0, 0, 2), 8U);
  EXPECT_EQ(pipe.take(0, 0, 1), 21U) << "all before is taken";
  EXPECT_EQ(pipe.end(), 22U);
  EXPECT_EQ(pipe.take(3, 30, 4), 30U) << "some of what is there has passed";
  EXPECT_EQ(pipe.take(22, 23, 7), 23U) << "it ends where the next one begins";
  EXPECT_EQ(pipe.take(23, 23, 1), 34U);
}

TEST(Reservations, WhatTakesNoTimeWaitsAndIsNotInTheWay) {
  Reservations pipe;
  EXPECT_EQ(pipe.take(0, 2, 0), 2U);
  EXPECT_EQ(pipe.take(0, 0, 4), 0U);
  EXPECT_EQ(pipe.take(0, 2, 0), 4U);
}

// Nothing overlaps, nobody could have begun earlier, whatever is asked for.
TEST(Reservations, NobodyWaitsWithoutNeed) {
  Reservations pipe;
  std::vector<bool> taken(6000);
  std::uint64_t now = 0, drawn = 12345;
  const auto below = [&drawn](std::uint64_t bound) {
    drawn = drawn * 6364136223846793005U + 1442695040888963407U;
    return (drawn >> 33) % bound;
  };
  for (int k = 0; k < 1000; ++k) {
    now += below(4);
    const std::uint64_t start = now + below(40), interval = 1 + below(3);
    const auto is_free = [&](std::uint64_t from) {
      for (std::uint64_t t = from; t < from + interval; ++t)
        if (taken[t]) return false;
      return true;
    };
    std::uint64_t expected = start;
    while (!is_free(expected)) ++expected;
    ASSERT_EQ(pipe.take(now, start, interval), expected) << k;
    for (std::uint64_t t = expected; t < expected + interval; ++t) taken[t] = true;
  }
}

}  // namespace
}  // namespace warpsim
