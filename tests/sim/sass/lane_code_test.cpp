// Loops over lanes, as each of the host's instruction sets that this build has runs them.
#include "sim/sass/lane_code.h"

#include <gtest/gtest.h>

#include <algorithm>
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
    if (round % 4 == 0)
      for (unsigned l = 0; l < kLanes; l += 2) address[l + 1] = address[l];
    const Lanes mask = static_cast<Lanes>(random() | random()) | Lanes{1} << random() % kLanes;
    const BankWays wanted = bank_ways(mask, address.data(), bytes);
    for (const LaneCode& code : every_code()) {
      const BankWays found = code.ways(address.data(), mask, bytes);
      ASSERT_EQ(found.merged, wanted.merged) << "round " << round;
      ASSERT_EQ(found.each, wanted.each) << "round " << round;
      if (bytes > 4 && are_alike_in_pairs(mask, address.data())) {
        ASSERT_EQ(found.most, wanted.most) << "round " << round;
      }
    }
  }
}

TEST(LaneCode, WhatLiesInFewBytesAsksNoBankTwice) {
  std::mt19937_64 random(29);
  unsigned count = 0;
  for (unsigned round = 0; round < 20'000; ++round) {
    const unsigned bytes = 1U << random() % 5;
    const std::uint64_t first = random() % 300 * bytes, most = 1 + random() % (160 / bytes);
    Addresses address{};
    for (std::uint64_t& one : address) one = first + random() % most * bytes;
    const auto [lowest, highest] = std::minmax_element(address.begin(), address.end());
    if (!is_conflict_free(*lowest, *highest, bytes)) continue;
    ++count;
    ASSERT_EQ(bank_ways(kAllLanes, address.data(), bytes).merged, 1U) << "round " << round;
  }
  EXPECT_GT(count, 10'000U);
  EXPECT_TRUE(is_conflict_free(4, 4 + 31 * 4, 4));
  EXPECT_FALSE(is_conflict_free(4, 4 + 32 * 4, 4));
  EXPECT_TRUE(is_conflict_free(16, 16 + 7 * 16, 16));
  EXPECT_FALSE(is_conflict_free(16, 16 + 8 * 16, 16));
  EXPECT_FALSE(is_conflict_free(3, 3 + 127, 1));  // two words of the first bank
}

// A register's row and the next, a uniform one's and the next, in words.
struct Rows {
  alignas(64) std::array<std::uint32_t, 4 * kLanes> word{};
  std::uint64_t pair(unsigned row, unsigned l) const {
    return std::uint64_t{word[(row + 1) * kLanes + l]} << 32 | word[row * kLanes + l];
  }
};

TEST(LaneCode, LanesAreLocatedByTheirAddresses) {
  std::mt19937_64 random(30);
  CodeMachine::Impl machine;
  Warp warp;
  CodeStep step;
  Rows rows;
  warp.registers = reinterpret_cast<std::byte*>(rows.word.data());
  for (unsigned round = 0; round < 6'000; ++round) {
    CodeOp op;
    op.a = 0;
    op.b = 2 * kRowBytes;
    op.type2 = std::array{Type::U32, Type::S64, Type::U64}[round % 3];
    op.number = static_cast<std::uint8_t>(1U << random() % 5);
    op.offset = static_cast<std::int64_t>(random() % 64) - 32;
    const std::uint32_t first = random() % 4 == 0 ? ~std::uint32_t{0} - 40 : 0x400, apart = round / 3 % 4;
    for (unsigned l = 0; l < kLanes; ++l) {
      rows.word[l] = first + (apart == 3 ? static_cast<std::uint32_t>(random() % 64) : apart * l) * op.number;
      rows.word[kLanes + l] = 7;
      rows.word[2 * kLanes + l] = 0x1000;
    }
    const Lanes mask = random() % 2 == 0 ? kAllLanes : static_cast<Lanes>(random() | 1);
    AddressRange wanted;
    Addresses address{};
    bool in_a_row = mask == kAllLanes;
    for (unsigned l = 0; l < kLanes; ++l) {
      const std::uint64_t low = rows.word[l], base = rows.pair(2, l), offset = static_cast<std::uint64_t>(op.offset);
      address[l] = op.type2 == Type::U32   ? static_cast<std::uint32_t>(low + base + offset)
                   : op.type2 == Type::S64 ? low + base + offset
                                           : rows.pair(0, l) + base + offset;
      in_a_row = in_a_row && address[l] == address[0] + std::uint64_t{l} * op.number;
      if ((mask >> l & 1) == 0) continue;
      wanted.lowest = std::min(wanted.lowest, address[l]);
      wanted.highest = std::max(wanted.highest, address[l]);
      wanted.all |= address[l];
    }
    for (const LaneCode& code : every_code()) {
      Exec x{machine, warp, step, 0, mask, mask};
      const AddressRange found = code.locate(x, op);
      ASSERT_EQ(step.address, address) << "round " << round;
      ASSERT_EQ(found.in_a_row, in_a_row) << "round " << round;
      ASSERT_EQ(found.lowest, wanted.lowest) << "round " << round;
      ASSERT_EQ(found.highest, wanted.highest) << "round " << round;
      ASSERT_EQ(found.all % op.number, wanted.all % op.number) << "round " << round;
    }
  }
}

}  // namespace lane_code_test
}  // namespace warpsim::sass
