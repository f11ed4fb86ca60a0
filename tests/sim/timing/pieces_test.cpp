#include "sim/timing/pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace warpsim {
namespace {

std::vector<std::uint64_t> found(const Pieces& pieces) { return {pieces.begin(), pieces.end()}; }

// What lanes access, as a set says it.
std::vector<std::uint64_t> expected(const std::vector<std::uint64_t>& lanes, unsigned bytes, int bits) {
  std::set<std::uint64_t> all;
  for (const std::uint64_t address : lanes)
    for (std::uint64_t byte = address; byte < address + bytes; ++byte) all.insert(byte >> bits);
  return {all.begin(), all.end()};
}

// Lanes anywhere, of few and of many, near to each other and far apart, aligned and not.
TEST(Pieces, AreEachOnceAndInOrder) {
  std::mt19937_64 draws(1);
  Pieces sectors, lines;
  for (int round = 0; round < 4000; ++round) {
    const unsigned bytes = 1U << draws() % 5;
    const std::uint64_t first = draws() >> 20, range = std::uint64_t{1} << (6 + draws() % 40);
    std::vector<std::uint64_t> lanes(draws() % 65);
    for (std::uint64_t& address : lanes)
      address = (first + draws() % range) & ~std::uint64_t{round % 3 == 0 ? 0U : bytes - 1};
    if (round % 5 == 0) std::sort(lanes.begin(), lanes.end());
    const bool is_one_each = sectors.find(lanes, bytes, 5);
    EXPECT_EQ(found(sectors), expected(lanes, bytes, 5));
    EXPECT_EQ(is_one_each, std::all_of(lanes.begin(), lanes.end(),
                                       [=](std::uint64_t at) { return at >> 5 == (at + bytes - 1) >> 5; }));
    lines.hold(sectors, 2);
    EXPECT_EQ(found(lines), expected(lanes, bytes, 7));
  }
}

TEST(Pieces, OfARow) {
  Pieces pieces;
  pieces.assign(3, 5);
  EXPECT_EQ(found(pieces), (std::vector<std::uint64_t>{3, 4, 5}));
  pieces.clear();
  EXPECT_EQ(pieces.size(), 0U);
}

}  // namespace
}  // namespace warpsim
