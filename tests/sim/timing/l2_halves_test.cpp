#include "sim/timing/l2_halves.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

namespace warpsim {
namespace {

// Of the H200.
L2Halves halves(unsigned near_pages) { return {0b10101011, near_pages}; }

bool is_far(L2Halves& of, std::uint64_t page) { return of.is_far(page * 4096 + 128); }

// What was measured, in pages from the start of an allocation: launches of kernels that load one buffer, each launch
// with the buffer elsewhere, took some 200 cycles more with these pages than with the others.
TEST(L2Halves, AreThoseOfTheH200) {
  const std::set<std::uint64_t> near = {6,  8,  12,  18,  24,  31,  32,  36,  42,  48,  55,  61,  62,  65,  75,  79, 81,
                                        85, 91, 100, 105, 106, 110, 112, 116, 121, 122, 125, 128, 131, 138, 154, 162},
                                far = {16, 25, 30, 37, 40, 43,  49,  50,  56,  67,  68, 73,
                                       87, 89, 93, 97, 98, 104, 113, 118, 130, 146, 170};
  L2Halves one = halves(1);
  for (const std::uint64_t page : near) EXPECT_FALSE(is_far(one, page)) << page;
  for (const std::uint64_t page : far) EXPECT_TRUE(is_far(one, page)) << page;
}

// Of three pages in a row two lie in different halves, wherever they are; of two that are not far from each other both
// can be near.
TEST(L2Halves, AsManyAsCanBeOfTheFirstPagesAreNear) {
  for (std::uint64_t apart = 1; apart < 32; ++apart) {
    L2Halves two = halves(3);
    EXPECT_FALSE(is_far(two, 1000)) << apart;
    EXPECT_FALSE(is_far(two, 1000 + apart)) << apart;
  }
  L2Halves three = halves(3);
  EXPECT_FALSE(is_far(three, 1001));
  EXPECT_FALSE(is_far(three, 1002));
  EXPECT_TRUE(is_far(three, 1000));
  L2Halves four = halves(3);
  for (const std::uint64_t page : {1000, 1001, 1003}) EXPECT_FALSE(is_far(four, page)) << page;
}

}  // namespace
}  // namespace warpsim
