// The shuffle network's laws, at every lane count. (Bit for bit against the H200: tests/isa/kernels/vectors_test.cpp.)
#include "sim/code/shuffle_network.h"

#include <gtest/gtest.h>

#include <set>

#include "sim/launch/launch.h"

namespace warpsim {
namespace {

// Calls f(lanes, width, lane) for all that exist.
template <class F>
void for_all(F f) {
  for (unsigned lanes : kLaneCounts)
    for (unsigned width = 1; width <= lanes; width *= 2)
      for (unsigned lane = 0; lane < lanes; ++lane) f(lanes, width, lane);
}

TEST(ShuffleNetwork, SegmentsNeverMixForIdxUpAndDown) {
  for_all([](unsigned lanes, unsigned width, unsigned lane) {
    for (unsigned b = 0; b < 70; ++b) {
      for (ShuffleMode mode : {ShuffleMode::Idx, ShuffleMode::Up, ShuffleMode::Down}) {
        const ShuffleSource s =
            shuffle_source(mode, lane, b, shuffle_clamp(mode, width, lanes), lane_index_mask(lanes));
        EXPECT_EQ(s.lane / width, lane / width)
            << lanes << " lanes, width " << width << ", lane " << lane << ", b " << b;
      }
    }
  });
}

TEST(ShuffleNetwork, UpAndDownAreShiftsInsideTheSegment) {
  for_all([](unsigned lanes, unsigned width, unsigned lane) {
    for (unsigned b = 0; b < lanes; ++b) {
      const ShuffleSource up =
          shuffle_up(lane, b, shuffle_clamp(ShuffleMode::Up, width, lanes), lane_index_mask(lanes));
      const bool up_there = lane % width >= b;
      EXPECT_EQ(up.in_range, up_there);
      EXPECT_EQ(up.lane, up_there ? lane - b : lane);
      const ShuffleSource down =
          shuffle_down(lane, b, shuffle_clamp(ShuffleMode::Down, width, lanes), lane_index_mask(lanes));
      const bool down_there = lane % width + b < width;
      EXPECT_EQ(down.in_range, down_there);
      EXPECT_EQ(down.lane, down_there ? lane + b : lane);
    }
  });
}

TEST(ShuffleNetwork, ButterflyIsItsOwnInverseWithoutWidth) {
  for (unsigned lanes : kLaneCounts) {
    for (unsigned b = 0; b < lanes; ++b) {
      std::set<unsigned> sources;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const ShuffleSource s =
            shuffle_bfly(lane, b, shuffle_clamp(ShuffleMode::Bfly, lanes, lanes), lane_index_mask(lanes));
        EXPECT_TRUE(s.in_range);
        EXPECT_EQ(s.lane, lane ^ b);
        sources.insert(s.lane);
      }
      EXPECT_EQ(sources.size(), lanes);
    }
  }
}

TEST(ShuffleNetwork, ButterflyReadsAnEarlierSegmentButNotALaterOne) {
  // width 8, xor 8: lane 0 would read lane 8 of a later segment and keeps its own; lane 8 reads lane 0.
  const std::uint32_t c = shuffle_clamp(ShuffleMode::Bfly, 8, 32);
  EXPECT_FALSE(shuffle_bfly(0, 8, c, 31).in_range);
  EXPECT_EQ(shuffle_bfly(0, 8, c, 31).lane, 0U);
  EXPECT_TRUE(shuffle_bfly(8, 8, c, 31).in_range);
  EXPECT_EQ(shuffle_bfly(8, 8, c, 31).lane, 0U);
}

TEST(ShuffleNetwork, OnlyTheLowBitsOfTheOperandCount) {
  EXPECT_EQ(shuffle_bfly(5, 32, shuffle_clamp(ShuffleMode::Bfly, 32, 32), 31).lane, 5U);   // xor 32: the identity
  EXPECT_EQ(shuffle_up(5, 33, shuffle_clamp(ShuffleMode::Up, 32, 32), 31).lane, 4U);       // up 33: up 1
  EXPECT_EQ(shuffle_bfly(5, 32, shuffle_clamp(ShuffleMode::Bfly, 64, 64), 63).lane, 37U);  // 64 lanes: six bits
  // 8 lanes are the lowest 8 of a 32-lane warp with width 8: xor 8 and up 9 keep the own value.
  EXPECT_FALSE(shuffle_bfly(3, 8, shuffle_clamp(ShuffleMode::Bfly, 8, 8), 31).in_range);
  EXPECT_FALSE(shuffle_up(3, 9, shuffle_clamp(ShuffleMode::Up, 8, 8), 31).in_range);
  EXPECT_EQ(shuffle_idx(3, 20, shuffle_clamp(ShuffleMode::Idx, 8, 32), 31).lane, 4U);  // idx wraps inside the segment
}

}  // namespace
}  // namespace warpsim
