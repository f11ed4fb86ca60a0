// Sets of bytes against the same sets as a bit a byte.
#include "host/device/byte_ranges.h"

#include <gtest/gtest.h>

#include <bitset>
#include <cstdint>
#include <random>
#include <vector>

namespace warpsim::host {
namespace {

constexpr std::size_t kSpace = 256;
using Bits = std::bitset<kSpace>;

struct Both {
  ByteRanges ranges;
  Bits bits;
};

Both random_set(std::mt19937& draws) {
  std::vector<ByteRange> all;
  Bits bits;
  for (auto k = draws() % 6; k != 0; --k) {
    const std::uint64_t begin = draws() % kSpace, end = begin + draws() % (kSpace - begin);
    all.push_back({begin, end});
    for (std::uint64_t at = begin; at < end; ++at) bits.set(at);
  }
  return {ByteRanges(std::move(all)), bits};
}

TEST(ByteRanges, AreTheBytesInAnyOrder) {
  std::mt19937 draws(1);
  for (int round = 0; round < 500; ++round) {
    const Both set = random_set(draws);
    for (std::uint64_t at = 0; at < kSpace; ++at) ASSERT_EQ(set.ranges.contains(at), set.bits[at]) << at;
    for (std::size_t k = 1; k < set.ranges.size(); ++k)
      ASSERT_GT(set.ranges.ranges()[k].begin, set.ranges.ranges()[k - 1].end);
  }
}

TEST(ByteRanges, FindTheFirstCommonPiece) {
  std::mt19937 draws(2);
  for (int round = 0; round < 2000; ++round) {
    const Both x = random_set(draws), y = random_set(draws);
    const Bits both = x.bits & y.bits;
    const auto found = x.ranges.first_common(y.ranges);
    ASSERT_EQ(found.has_value(), both.any());
    if (!found) continue;
    ASSERT_EQ(found->begin, both._Find_first());
    for (std::uint64_t at = found->begin; at < found->end; ++at) ASSERT_TRUE(both[at]);
  }
}

TEST(ByteRanges, GiveWhatLiesInAPart) {
  std::mt19937 draws(3);
  for (int round = 0; round < 500; ++round) {
    const Both set = random_set(draws);
    const ByteRange part{draws() % kSpace, kSpace / 2 + draws() % (kSpace / 2)};
    Bits seen;
    set.ranges.for_each_in(part, [&](const ByteRange& one) {
      for (std::uint64_t at = one.begin; at < one.end; ++at) seen.set(at);
    });
    for (std::uint64_t at = 0; at < kSpace; ++at)
      ASSERT_EQ(seen[at], set.bits[at] && at >= part.begin && at < part.end) << at;
  }
}

}  // namespace
}  // namespace warpsim::host
