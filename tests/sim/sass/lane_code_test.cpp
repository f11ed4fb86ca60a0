// Loops over lanes, as each of the host's instruction sets that this build has runs them.
#include "sim/sass/lane_code.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "sim/memory/bank_ways.h"

namespace warpsim::sass {
namespace lane_code_test {

using Addresses = std::array<std::uint64_t, kLanes>;

Addresses apart(std::uint64_t bytes) {
  Addresses all{};
  for (unsigned l = 0; l < kLanes; ++l) all[l] = 0x400 + l * bytes;
  return all;
}
std::vector<LaneCode> every_code() { return {lane_code_baseline(), lane_code()}; }

TEST(LaneCode, LanesThatLieApartShareBanks) {
  for (const LaneCode& code : every_code()) {
    const auto merged = [&](std::uint64_t bytes, Lanes mask, unsigned size) {
      return code.ways(apart(bytes).data(), mask, size).merged;
    };
    EXPECT_EQ(merged(0, kAllLanes, 4), 1U);
    EXPECT_EQ(code.ways(apart(0).data(), kAllLanes, 4).each, 32U);
    EXPECT_EQ(merged(4, kAllLanes, 4), 1U);
    EXPECT_EQ(merged(8, kAllLanes, 4), 2U);
    EXPECT_EQ(merged(8, 0xffff, 4), 1U);
    EXPECT_EQ(merged(128, kAllLanes, 4), 32U);
    EXPECT_EQ(merged(128, 0x1010'0101, 4), 4U);
    EXPECT_EQ(merged(16, kAllLanes, 16), 1U);
    EXPECT_EQ(merged(32, kAllLanes, 16), 2U);
  }
}

TEST(LaneCode, WaysAreThoseOfTheBanks) {
  std::mt19937_64 random(28);
  for (unsigned round = 0; round < 20'000; ++round) {
    const unsigned bytes = 1U << random() % 5;
    const std::uint64_t most = 1 + random() % 300;
    Addresses address{};
    for (std::uint64_t& one : address) one = 0x400 + random() % most * bytes;
    const Lanes mask = static_cast<Lanes>(random() | random()) | Lanes{1} << random() % kLanes;
    const BankWays wanted = bank_ways(mask, address.data(), bytes);
    for (const LaneCode& code : every_code()) {
      const BankWays found = code.ways(address.data(), mask, bytes);
      ASSERT_EQ(found.merged, wanted.merged) << "round " << round;
      ASSERT_EQ(found.each, wanted.each) << "round " << round;
    }
  }
}

}  // namespace lane_code_test
}  // namespace warpsim::sass
