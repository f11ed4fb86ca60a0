// The shadow of global memory beside a map of bytes.
//
// Source: the map is the definition.
#include "sim/calm/undefined_words.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace warpsim {
namespace {

constexpr std::uint64_t kBytes = 20'000, kFirst = 0x1000'0ffd;

class Bytes {
 public:
  void set(std::uint64_t address, std::uint64_t size, bool undefined) {
    for (std::uint64_t k = 0; k < size; ++k) undefined_[address + k] = undefined;
  }
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t size) {
    for (std::uint64_t k = 0; k < size; ++k) undefined_[to + k] = at(from + k);
  }
  bool at(std::uint64_t address) const {
    const auto found = undefined_.find(address);
    return found != undefined_.end() && found->second;
  }

 private:
  std::map<std::uint64_t, bool> undefined_;
};

TEST(UndefinedWords, IsAsAMapOfBytes) {
  std::mt19937 random(1);
  const auto below = [&](std::uint64_t n) { return std::uniform_int_distribution<std::uint64_t>(0, n - 1)(random); };
  UndefinedWords words;
  Bytes bytes;
  for (int round = 0; round < 400; ++round) {
    const std::uint64_t size = below(round % 4 == 0 ? kBytes / 2 : 40), to = kFirst + below(kBytes - size);
    const std::uint64_t from = kFirst + kBytes + below(kBytes - size);
    switch (below(4)) {
      case 0: words.forget(to, size), bytes.set(to, size, true); break;
      case 1: words.define(to, size), bytes.set(to, size, false); break;
      case 2: words.forget(from, size), bytes.set(from, size, true); break;
      default: words.copy(to, from, size), bytes.copy(to, from, size); break;
    }
    for (int probe = 0; probe < 200; ++probe) {
      const std::uint64_t at = kFirst + below(2 * kBytes);
      ASSERT_EQ(words.bits(at) >> 8 * (at & 7) & 0xff, bytes.at(at) ? 0xffU : 0U) << "round " << round << " at " << at;
    }
  }
}

TEST(UndefinedWords, IsEmptyOnceAllIsDefined) {
  UndefinedWords words;
  words.forget(0x1003, 100'000);
  EXPECT_FALSE(words.empty());
  words.define(0x1003, 50'000);
  EXPECT_FALSE(words.empty());
  words.define(0x1003 + 50'000, 50'000);
  EXPECT_TRUE(words.empty());
}

TEST(UndefinedWords, KeepsBitsOfAWord) {
  UndefinedWords words;
  words.set_bits(0x2008, 0xf0);
  EXPECT_EQ(words.bits(0x200c), 0xf0U);
  EXPECT_EQ(words.bits(0x2000), 0U);
  words.set_bits(0x2008, 0);
  EXPECT_TRUE(words.empty());
}

}  // namespace
}  // namespace warpsim
