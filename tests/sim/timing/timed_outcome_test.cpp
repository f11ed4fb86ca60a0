// What an access to shared memory asks of the pipe.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "sim/timing/clock.h"

namespace warpsim {
namespace {

// So many cycles an H200's pipe was busy with the loads of a warp, by the difference of 20 and 4 of them (8 warps).
TEST(TimedOutcome, WideAccessesOfLanesThatAreAlikeInPairsTakeHalfAsLong) {
  const auto ways = [](unsigned bytes, auto place) {
    std::array<std::uint64_t, 32> offsets{};
    for (unsigned lane = 0; lane < offsets.size(); ++lane) offsets[lane] = place(lane) * bytes;
    TimedOutcome outcome;
    outcome.note_shared(0xffff'ffff, offsets.data(), bytes, false);
    return outcome.ways;
  };
  EXPECT_EQ(ways(16, [](unsigned lane) { return lane; }), 4U);
  EXPECT_EQ(ways(16, [](unsigned) { return 0U; }), 2U);
  EXPECT_EQ(ways(16, [](unsigned lane) { return lane / 2; }), 2U);
  EXPECT_EQ(ways(16, [](unsigned lane) { return lane / 16; }), 2U);
  EXPECT_EQ(ways(16, [](unsigned lane) { return lane % 2; }), 2U) << "lane and lane + 2";
  EXPECT_EQ(ways(16, [](unsigned lane) { return lane % 4; }), 4U) << "neither of them";
  EXPECT_EQ(ways(16, [](unsigned lane) { return lane / 16 * 32; }), 2U) << "one bank, but each half has one of them";
  EXPECT_EQ(ways(16, [](unsigned lane) { return lane / 8 * 32; }), 4U) << "one bank, and each half has two";
  EXPECT_EQ(ways(8, [](unsigned lane) { return lane; }), 2U);
  EXPECT_EQ(ways(8, [](unsigned) { return 0U; }), 1U);
  EXPECT_EQ(ways(8, [](unsigned lane) { return lane / 2; }), 1U);
  EXPECT_EQ(ways(8, [](unsigned lane) { return lane / 16 * 32; }), 2U) << "one bank";
  EXPECT_EQ(ways(8, [](unsigned lane) { return lane % 8; }), 2U);
  EXPECT_EQ(ways(4, [](unsigned) { return 0U; }), 1U);
}

}  // namespace
}  // namespace warpsim
