// Shared memory that is calm: it is so as long as a table of who read and who wrote says so, and what was accessed
// comes back from the log.
//
// Source: sim/calm/calm_words.h states the rule; the table here keeps every thread, and is asked by that rule alone.
#include "sim/calm/calm_words.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>
#include <vector>

namespace warpsim {
namespace calm_words_test {

constexpr unsigned kLanes = 32, kWarps = 3, kWords = 96;
constexpr std::uint64_t kNothing[4 * kMaxLanes] = {};

MemoryEvent event_of(MemoryEvent::Access access, LaneMask lanes, const std::uint64_t* address,
                     const std::uint64_t* values = kNothing) {
  static NoElementNames names;
  MemoryEvent event{AddressSpace::Shared, access, 4, 1, lanes, address, &names, values, nullptr, nullptr};
  return event;
}

// Every thread that has accessed a word, and how.
struct Table {
  struct Word {
    std::set<unsigned> readers, writers;
    bool changed = false;
  };
  std::array<Word, kWords> words;

  bool is_calm(const Word& word) const {
    if (word.changed) return word.readers.empty() && word.writers.empty();
    if (word.writers.size() > 1) return false;
    return word.writers.empty() || word.readers.empty() ||
           (word.readers.size() == 1 && *word.readers.begin() == *word.writers.begin());
  }
  bool is_of_several_warps(const Word& word) const {
    std::set<unsigned> warps;
    for (const unsigned reader : word.readers) warps.insert(reader / kLanes);
    return warps.size() > 1;
  }
  // Whether each word that is accessed is calm then.
  bool access(MemoryEvent::Access access, LaneMask lanes, const std::uint64_t* address, unsigned warp) {
    bool calm = true;
    for_each_lane(lanes, [&](unsigned lane) {
      Word& word = words[address[lane] / 4];
      if (access == MemoryEvent::Access::Atomic) word.changed = true;
      else (access == MemoryEvent::Access::Load ? word.readers : word.writers).insert(warp * kLanes + lane);
      calm = calm && is_calm(word);
    });
    return calm;
  }
};

unsigned below(std::mt19937& random, unsigned n) { return static_cast<unsigned>(random()) % n; }

// An access of one of many kinds; most keep to what is the thread's own, or read what all read.
struct Drawn {
  MemoryEvent::Access access = MemoryEvent::Access::Load;
  LaneMask lanes = 0;
  unsigned warp = 0, kind = 0;
  std::array<std::uint64_t, kMaxLanes> address{};
  std::array<std::uint32_t, kMaxLanes> narrow{};

  explicit Drawn(std::mt19937& random) {
    warp = below(random, kWarps);
    kind = below(random, 16);
    lanes = below(random, 3) == 0 ? below(random, ~0U) | 1 : full_mask(kLanes);
    access = kind < 8    ? below(random, 2) == 0 ? MemoryEvent::Access::Load : MemoryEvent::Access::Store
             : kind < 14 ? MemoryEvent::Access::Load
                         : MemoryEvent::Access::Atomic;
    const unsigned one = below(random, kWords);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const unsigned own = warp * kLanes + lane;
      const unsigned word = kind < 7 ? own : kind < 9 ? own ^ 1 : kind < 11 ? one : kind < 14 ? lane : 90 + lane % 3;
      address[lane] = word * 4;
      narrow[lane] = word * 4;
    }
  }
  // Tells it in one of the ways in which it may be told.
  bool touch(CalmWords& words, std::mt19937& random, std::uint32_t* settled) const {
    const bool is_whole = lanes == full_mask(kLanes), is_store = access == MemoryEvent::Access::Store;
    const bool is_one = is_whole && (kind == 9 || kind == 10), are_neighbours = is_whole && (kind < 7 || kind == 12);
    const unsigned way = access == MemoryEvent::Access::Atomic ? 0 : below(random, 3);
    if (way == 1 && (is_one || are_neighbours) && !(is_one && is_store)) {
      RangeEvent event{AddressSpace::Shared, is_store, is_one, 4, kLanes, address[0], kNothing};
      return words.touch(event, warp, settled);
    }
    if (way == 2) {
      LanesEvent event{is_store, is_one, 4, 1, lanes, narrow.data(), nullptr, nullptr};
      return words.touch(event, warp, settled);
    }
    MemoryEvent event = event_of(access, lanes, address.data());
    event.neighbours = are_neighbours && below(random, 2) == 0;
    event.is_one_address = is_one && below(random, 2) == 0;
    return words.touch(event, warp, settled);
  }
};

TEST(CalmWords, AreCalmAsLongAsTheTableSaysSo) {
  std::mt19937 random(20);
  CalmWords words(kWords, 2, kLanes, kWarps);
  int ended = 0, long_ones = 0, settled_words = 0;
  for (std::uint32_t phase = 0; phase < 4000; ++phase) {
    words.begin(phase);
    Table table;
    std::array<std::uint32_t, kWords / 32 + 1> settled{};
    for (int k = 0;; ++k) {
      const Drawn drawn(random);
      const auto settled_before = settled;
      const bool calm = drawn.touch(words, random, settled.data());
      ASSERT_EQ(calm, table.access(drawn.access, drawn.lanes, drawn.address.data(), drawn.warp))
          << "phase " << phase << " access " << k << " kind " << drawn.kind;
      if (!calm) {
        ASSERT_EQ(settled, settled_before) << "kind " << drawn.kind << ": a race settles nothing";
        long_ones += k > 4;
        ++ended;
        break;
      }
      for (unsigned word = 0; word < kWords; ++word) {
        const bool bit = (settled[word / 32] >> word % 32 & 1) != 0;
        ASSERT_EQ(bit, table.is_of_several_warps(table.words[word])) << "phase " << phase << " word " << word;
        settled_words += bit;
      }
    }
  }
  EXPECT_EQ(ended, 4000);
  EXPECT_GT(long_ones, 400);
  EXPECT_GT(settled_words, 1000);
}

TEST(CalmWords, ALoadOfSettledWordsAloneIsKnown) {
  CalmWords words(kWords, 2, kLanes, kWarps);
  words.begin(0);
  std::array<std::uint32_t, kWords / 32 + 1> settled{};
  const RangeEvent event{AddressSpace::Shared, false, false, 4, kLanes, 64, nullptr};
  for (std::uint32_t warp = 0; warp < 3; ++warp) {
    ASSERT_TRUE(words.touch(event, warp, settled.data()));
    EXPECT_EQ(words.is_known(), warp == 2) << "the second warp's load settles them";
  }
  const RangeEvent further{AddressSpace::Shared, false, false, 4, kLanes, 68, nullptr};
  ASSERT_TRUE(words.touch(further, 0, settled.data()));
  EXPECT_FALSE(words.is_known()) << "one word is new";
}

TEST(CalmWords, TheLogSaysWhatWasAccessed) {
  CalmWords words(1024, 0, kLanes, kWarps);
  words.begin(5);
  std::uint64_t address[kMaxLanes], values[4 * kMaxLanes];
  std::uint32_t narrow[kMaxLanes];
  alignas(64) std::uint32_t rows[2][kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    address[lane] = narrow[lane] = lane * 24 + 4;
    rows[0][lane] = 1000 + lane;
    rows[1][lane] = 2000 + lane;
    for (unsigned k = 0; k < 4; ++k) values[k * kMaxLanes + lane] = 0x1'0000'0000u * (k + 1) + lane;
  }
  MemoryEvent scattered = event_of(MemoryEvent::Access::Store, 0xf0f0, address, values);
  scattered.bytes = 8;
  scattered.elements = 2;
  const RangeEvent range{AddressSpace::Shared, true, false, 4, kLanes, 128, rows[1]};
  const std::uint32_t at[2] = {0, sizeof rows[0]};
  const LanesEvent lanes{true, false, 2, 2, 0xffff'00ff, narrow, reinterpret_cast<const std::byte*>(rows), at};
  words.log({77, 3, 4, 2}, scattered);
  words.log({78, 5, 6, 1}, range);
  words.log({79, 7, 8, 0}, lanes);
  int count = 0;
  words.for_each_logged([&](const CalmWords::Logged& logged, const MemoryEvent& event) {
    EXPECT_EQ(event.access, MemoryEvent::Access::Store);
    EXPECT_EQ(logged.cycle, 77U + count);
    EXPECT_EQ(logged.pc, 3 + 2 * count);
    EXPECT_EQ(logged.version, 4U + 2 * count);
    EXPECT_EQ(logged.warp, 2 - count);
    const LaneMask expected[] = {0xf0f0, full_mask(kLanes), 0xffff'00ff};
    ASSERT_EQ(event.lanes, expected[count]);
    for_each_lane(event.lanes, [&](unsigned lane) {
      EXPECT_EQ(event.address[lane], count == 1 ? 128 + 4 * lane : lane * 24 + 4);
      for (unsigned k = 0; k < event.elements; ++k) {
        const std::uint64_t value = count == 0   ? values[k * kMaxLanes + lane]
                                    : count == 1 ? rows[1][lane]
                                                 : rows[k][lane] & 0xffff;
        EXPECT_EQ(event.value_of(lane, k), value) << count;
      }
    });
    EXPECT_EQ(event.bytes, count == 0 ? 8U : count == 1 ? 4U : 2U);
    EXPECT_EQ(event.elements, count == 1 ? 1U : 2U);
    ++count;
  });
  EXPECT_EQ(count, 3);
  words.forget_log();
  words.for_each_logged([](const CalmWords::Logged&, const MemoryEvent&) { FAIL() << "it is empty"; });
}

}  // namespace calm_words_test
}  // namespace warpsim
