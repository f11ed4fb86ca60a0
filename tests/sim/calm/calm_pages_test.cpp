// Global memory that is calm: it is so as long as a table of all accesses says so, and undo() gives back what was
// there.
//
// Source: sim/calm/calm_pages.h states the rule; the table here keeps every access, and is asked by that rule alone.
#include "sim/calm/calm_pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace warpsim {
namespace calm_pages_test {

using Access = MemoryEvent::Access;
constexpr unsigned kLanes = 32, kWarps = 3, kBlocks = 4;
constexpr std::uint64_t kBytes = 2 * kWarps * kLanes * 16 + 40;

unsigned below(std::mt19937& random, std::size_t n) { return static_cast<unsigned>(random() % n); }

struct Thread {
  unsigned block, phase, thread;
  bool operator==(const Thread&) const = default;
};

// What has been done to each byte.
class Table {
 public:
  // Whether that is calm beside what was done before.
  bool access(Access access, std::uint64_t at, const Thread& thread) {
    bool calm = true;
    for (const auto& [before, by] : done_[at]) calm = calm && are_calm(before, by, access, thread);
    done_[at].emplace_back(access, thread);
    return calm;
  }

  // What calm accesses have come to, by word.
  std::map<std::uint64_t, CalmPages::Way> ways() const {
    std::map<std::uint64_t, CalmPages::Way> all;
    for (const auto& [at, done] : done_) {
      const auto has = [&done = done](Access how) {
        return std::any_of(done.begin(), done.end(), [how](const auto& one) { return one.first == how; });
      };
      all[at] = has(Access::Atomic)  ? CalmPages::Way::Atomic
                : has(Access::Store) ? CalmPages::Way::Write
                                     : CalmPages::Way::Read;
    }
    return all;
  }

 private:
  static bool are_calm(Access a, const Thread& x, Access b, const Thread& y) {
    if (a == b && a != Access::Store) return true;
    if (a == Access::Atomic || b == Access::Atomic) return false;
    return x.block == y.block && (x.phase != y.phase || x.thread == y.thread);
  }
  std::map<std::uint64_t, std::vector<std::pair<Access, Thread>>> done_;
};

// A device with two buffers, of which one is undefined here and there, and a run that is told to CalmPages.
class Launching {
 public:
  explicit Launching(std::mt19937& random) : random_(random) {
    for (std::uint64_t& one : buffers_) one = memory_.allocate(kBytes, "buffer").value_or(0);
    for (const std::uint64_t one : buffers_)
      for (std::uint64_t k = 0; k < kBytes; ++k) *byte(one + k) = static_cast<std::byte>(random());
    undefined_.forget(buffers_[1] + 100, kBytes / 2);
    undefined_.forget(buffers_[1] + kBytes - 7, 7);
    old_ = contents();
  }

  // Until an access is not calm, or for a while. The number of accesses. `knows_reads`: a buffer may be only read, but
  // for one time in four.
  int go(CalmPages& pages, bool stores_parts, bool knows_reads) {
    const std::uint64_t in_stored = buffers_[0] + 8;
    std::span<const std::uint64_t> stored(&in_stored, knows_reads && below(random_, 4) == 0 ? 1 : 0);
    pages.begin({&memory_, &memory_, &undefined_, kLanes, stores_parts, knows_reads, stored});
    if (!knows_reads || !stored.empty()) only_read_[0] = false;
    const std::size_t most = 1 + below(random_, 60);
    for (std::size_t k = 0; k < most; ++k) {
      const unsigned block = below(random_, kBlocks);
      if (below(random_, 3) == 0) {
        pages.begin_phase(block);
        ++phase_[block];
      }
      Event drawn(*this, random_, block, stores_parts);
      const std::optional<bool> only_read = is_only_read(drawn.event);
      bool calm = true;
      for_each_lane(drawn.event.lanes, [&](unsigned lane) {
        for (std::uint64_t b = 0; b < size_of(drawn.event); ++b)
          calm = table_.access(drawn.event.access, word_of(drawn.event.address[lane] + b, stores_parts),
                               {block, phase_[block], drawn.warp * kLanes + lane}) &&
                 calm;
      });
      if (only_read) calm = *only_read;
      EXPECT_FALSE(pages.has_stored_to_read());
      const bool told = drawn.tell(pages, random_, block);
      EXPECT_EQ(pages.has_stored_to_read(), only_read && !*only_read);
      if (drawn.event.access == Access::Load && knows_reads) {
        EXPECT_EQ(pages.reads_only(drawn.event.address[0], size_of(drawn.event)), only_read.has_value());
      }
      EXPECT_EQ(told, calm) << "access " << k << " of kind " << drawn.kind;
      if (told != calm) return -1;
      if (!told) pages.keep_old(drawn.event.lanes, drawn.event.address, size_of(drawn.event));
      if (drawn.event.access != Access::Load) change(drawn.event);
      if (!told) return static_cast<int>(k);
      if (below(random_, 8) == 0) check_settled(pages);
    }
    if (!stores_parts) expect_touched(pages);
    return static_cast<int>(most);
  }

  void expect_undone(CalmPages& pages) {
    changed_ += contents() != old_;
    pages.undo(undefined_);
    EXPECT_EQ(contents(), old_);
  }
  int changed() const { return changed_; }

 private:
  void expect_touched(const CalmPages& pages) const {
    std::map<std::uint64_t, CalmPages::Way> told;
    pages.for_each_touched([&told](CalmPages::Way way, std::uint64_t address, std::uint64_t size) {
      for (std::uint64_t word = address / 4; word <= (address + size - 1) / 4; ++word)
        EXPECT_EQ(told.try_emplace(word, way).first->second, way);
    });
    EXPECT_EQ(told, table_.ways());
  }
  // Whether an access of a buffer that is only read is calm; none: it is of another. The first one says which it is.
  std::optional<bool> is_only_read(const MemoryEvent& event) {
    const std::size_t k = event.address[first_lane(event.lanes)] >= buffers_[1] ? 1 : 0;
    const bool is_load = event.access == Access::Load;
    if (!only_read_[k]) only_read_[k] = k == 0 && is_load;
    only_read_[1] = false;  // there is something undefined
    return *only_read_[k] ? std::optional(is_load) : std::nullopt;
  }
  static std::uint64_t size_of(const MemoryEvent& event) { return std::uint64_t{event.bytes} * event.elements; }
  static std::uint64_t word_of(std::uint64_t address, bool stores_parts) {
    return stores_parts ? address : address / 4;
  }
  std::byte* byte(std::uint64_t address) {
    const DeviceMemory::Allocation* const of = memory_.find(address, 1);
    return of->bytes + (address - of->address);
  }
  void change(const MemoryEvent& event) {
    for_each_lane(event.lanes, [&](unsigned lane) {
      for (std::uint64_t b = 0; b < size_of(event); ++b) *byte(event.address[lane] + b) ^= std::byte{0x5a};
      undefined_.define(event.address[lane], size_of(event));
    });
  }
  // Each byte, and whether it is undefined.
  std::vector<std::pair<std::byte, bool>> contents() {
    std::vector<std::pair<std::byte, bool>> all;
    for (const std::uint64_t one : buffers_)
      for (std::uint64_t k = 0; k < kBytes; ++k) all.emplace_back(*byte(one + k), !undefined_.are_defined(one + k, 1));
    return all;
  }
  void check_settled(const CalmPages& pages) {
    for (const std::uint64_t one : buffers_)
      for (std::uint64_t at = one; at + 4 <= one + kBytes; at += 4) {
        const SettledPages::Page& page = pages.settled().pages[SettledPages::place_of(at >> SettledPages::kPageBits)];
        const std::uint32_t word = SettledPages::word_of(at);
        if (page.number != at >> SettledPages::kPageBits || (page.words[word / 32] >> word % 32 & 1) == 0) continue;
        Table copy = table_;  // a load of anybody is calm
        for (unsigned block = 0; block < kBlocks; ++block)
          EXPECT_TRUE(copy.access(Access::Load, word_of(at, false), {block, 1000, 1000})) << "settled";
      }
  }

  struct Event {
    MemoryEvent event{};
    NoElementNames names;
    std::array<std::uint64_t, kMaxLanes> address{};
    unsigned warp = 0, kind = 0;
    Event(Launching& run, std::mt19937& random, unsigned block, bool stores_parts) {
      warp = below(random, kWarps);
      kind = below(random, 16);
      static constexpr unsigned kSizes[] = {4, 4, 4, 8, 8, 16, 1, 2};
      const bool is_atomic = kind == 14 || kind == 15;
      const unsigned size = is_atomic ? 4 : kSizes[below(random, 8)];
      event.bytes = size == 16 ? 4 : size;
      event.elements = size == 16 ? 4 : 1;
      event.access = is_atomic ? Access::Atomic : kind < 8 && below(random, 2) == 0 ? Access::Store : Access::Load;
      if (event.access == Access::Store && size < 4 && !stores_parts) event.access = Access::Load;
      event.lanes = below(random, 3) == 0 ? below(random, ~0U) | 1 : full_mask(kLanes);
      const std::uint64_t buffer = run.buffers_[below(random, 2)];
      const unsigned one = below(random, 60);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const unsigned own = warp * kLanes + lane, of_block = (own + block * kWarps * kLanes) % (2 * kWarps * kLanes);
        const unsigned element = kind < 6    ? of_block
                                 : kind == 6 ? own
                                 : kind == 7 ? of_block ^ 1
                                 : kind < 10 ? one
                                 : kind < 14 ? lane
                                             : 300 + lane % 3;
        address[lane] = buffer + std::uint64_t{element} * size;
      }
      event.space = AddressSpace::Global;
      event.address = address.data();
      event.names = &names;
    }
    bool tell(CalmPages& pages, std::mt19937& random, unsigned block) {
      const bool is_whole = event.lanes == full_mask(kLanes), is_store = event.access == Access::Store;
      const bool is_one = kind == 8 || kind == 9;
      const bool are_neighbours = is_whole && (kind < 7 || (kind >= 10 && kind < 14));
      const bool is_range = event.access != Access::Atomic && event.elements == 1 && event.bytes >= 4 && is_whole &&
                            (are_neighbours || (is_one && !is_store));
      if (is_range && below(random, 2) == 0)
        return pages.touch(RangeEvent{AddressSpace::Global, is_store, is_one, event.bytes, kLanes, address[0], nullptr},
                           block, warp);
      event.neighbours = are_neighbours && below(random, 2) == 0;
      event.is_one_address = is_one && below(random, 2) == 0;
      return pages.touch(event, block, warp, below(random, 2) == 0);
    }
  };

  std::mt19937& random_;
  DeviceMemory memory_{0x1000'0000 + 0xf400};  // so that a chunk ends within
  std::array<std::uint64_t, 2> buffers_{};
  UndefinedWords undefined_;
  std::vector<std::pair<std::byte, bool>> old_;
  Table table_;
  std::array<unsigned, kBlocks> phase_{};
  std::array<std::optional<bool>, 2> only_read_;  // by buffer; none: nobody has accessed it
  int changed_ = 0;
};

TEST(CalmPages, AreCalmAsLongAsTheTableSaysSo) {
  std::mt19937 random(21);
  CalmPages pages;  // of all launches
  int ended = 0, long_ones = 0, changed = 0, stored_to_read = 0;
  for (int launch = 0; launch < 1500; ++launch) {
    Launching run(random);
    const int accesses = run.go(pages, launch % 2 == 0, launch % 4 < 2);
    ASSERT_GE(accesses, 0) << "launch " << launch;
    ended += !pages.is_calm();
    stored_to_read += pages.has_stored_to_read();
    long_ones += accesses > 5;
    run.expect_undone(pages);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "launch " << launch;
    changed += run.changed();
    pages.end();
  }
  EXPECT_GT(ended, 500);
  EXPECT_GT(long_ones, 300);
  EXPECT_GT(changed, 700);
  EXPECT_GT(stored_to_read, 100);
}

// Of a load whose lanes go to two allocations, one of which is only read, all lanes are known.
TEST(CalmPages, LanesMayReadWhatIsOnlyReadBesideOthers) {
  DeviceMemory memory;
  const std::uint64_t stored = memory.allocate(4096, "stored").value_or(0),
                      read = memory.allocate(4096, "read").value_or(0);
  const UndefinedWords undefined;
  NoElementNames names;
  for (const bool stored_last : {false, true}) {
    CalmPages pages;
    pages.begin({&memory, &memory, &undefined, kLanes, false, true, {&stored, 1}});
    std::array<std::uint64_t, kMaxLanes> address{};
    for (unsigned lane = 0; lane < kLanes; ++lane)
      address[lane] = ((lane % 2 == 1) == stored_last ? stored : read) + 4 * lane;
    MemoryEvent event{};
    event.space = AddressSpace::Global;
    event.access = Access::Load;
    event.bytes = 4, event.elements = 1, event.lanes = full_mask(kLanes);
    event.address = address.data();
    event.names = &names;
    ASSERT_TRUE(pages.touch(event, 0, 0, true));
    EXPECT_TRUE(pages.reads_only(read, 4));
    RangeEvent store{AddressSpace::Global, true, false, 4, kLanes, stored, nullptr};
    EXPECT_TRUE(pages.touch(store, 0, 0)) << "each where it has read alone";
    EXPECT_FALSE(pages.touch(store, 1, 0)) << "another block's";
  }
}

// Code compares words: bytes are kept apart only for as long as a launch accesses some.
TEST(CalmPages, BytesAreWordsAgainInALaunchWithoutParts) {
  DeviceMemory memory;
  const std::uint64_t buffer = memory.allocate(4096, "buffer").value_or(0);
  const UndefinedWords undefined;
  NoElementNames names;
  CalmPages pages;
  const auto chunk = [&] { return pages.chunks().all[CalmChunks::place_of(buffer >> CalmChunk::kBits)].chunk; };
  MemoryEvent event{};
  event.space = AddressSpace::Global;
  event.access = Access::Store;
  event.bytes = 1, event.elements = 1, event.lanes = 1;
  event.address = &buffer;
  event.names = &names;
  pages.begin({&memory, &memory, &undefined, kLanes, true});
  ASSERT_TRUE(pages.touch(event, 0, 0, true));
  EXPECT_NE(chunk()->bytes, nullptr);
  EXPECT_EQ(chunk()->words, nullptr);
  pages.end();
  pages.begin({&memory, &memory, &undefined, kLanes, false});
  const RangeEvent store{AddressSpace::Global, true, false, 4, kLanes, buffer, nullptr};
  ASSERT_TRUE(pages.touch(store, 1, 0));
  EXPECT_EQ(chunk()->bytes, nullptr);
  EXPECT_NE(chunk()->words, nullptr);
  int words = 0;
  pages.for_each_touched([&](CalmPages::Way way, std::uint64_t address, std::uint64_t size) {
    words += static_cast<int>(size / 4);
    EXPECT_TRUE(way == CalmPages::Way::Write && address == buffer);
  });
  EXPECT_EQ(words, 32);
  EXPECT_FALSE(pages.touch(store, 0, 0));
}

// From `others` up to `behind` are numbers of other blocks alone, where it is known: code makes `many` of them.
TEST(CalmPages, CodeKnowsWhichNumbersAreOfOtherBlocks) {
  DeviceMemory memory;
  const std::uint64_t buffer = memory.allocate(4096, "buffer").value_or(0);
  const UndefinedWords undefined;
  CalmPages pages;
  pages.begin({&memory, &memory, &undefined, kLanes, false});
  const auto touch = [&](bool is_store, std::uint64_t word, std::uint32_t block) {
    return pages.touch(RangeEvent{AddressSpace::Global, is_store, !is_store, 4, kLanes, buffer + 4 * word, nullptr},
                       block, 0);
  };
  const auto is_of_others = [&](std::uint64_t word, std::uint32_t block) {
    const CalmNumbers known = pages.of_warp(block, 0);
    const std::uint64_t address = buffer + 4 * word, number = address >> CalmChunk::kBits;
    const CalmChunk* const chunk = pages.chunks().all[CalmChunks::place_of(number)].chunk;
    const std::int32_t now = chunk->words[address % (1U << CalmChunk::kBits) / 4];
    return now >= known.others && now <= known.behind && (now & known.written) == 0;
  };
  ASSERT_TRUE(touch(false, 0, 0) && touch(false, 4, 0) && touch(true, 64, 0));
  EXPECT_FALSE(is_of_others(0, 0)) << "its own";
  pages.begin_phase(0);
  EXPECT_FALSE(is_of_others(0, 0)) << "its own, before a barrier";
  ASSERT_TRUE(touch(false, 1, 0));
  pages.end_block(0);
  ASSERT_TRUE(touch(false, 4, 1));
  EXPECT_TRUE(is_of_others(0, 1));
  EXPECT_TRUE(is_of_others(1, 1));
  EXPECT_FALSE(is_of_others(64, 1)) << "written";
  EXPECT_FALSE(is_of_others(4, 1)) << "read by several blocks";
  EXPECT_FALSE(is_of_others(8, 1)) << "nobody's";
  pages.begin_phase(1);
  EXPECT_TRUE(is_of_others(0, 1));
  ASSERT_TRUE(touch(false, 9, 1) && touch(false, 10, 2));
  EXPECT_TRUE(is_of_others(9, 2));
  pages.begin_phase(1);
  EXPECT_FALSE(is_of_others(9, 1)) << "its own, before another block came";
  EXPECT_FALSE(is_of_others(10, 1)) << "not known";
}

// More times between barriers than there are numbers for.
TEST(CalmPages, ALongLaunchIsNumberedAgain) {
  DeviceMemory memory;
  const std::uint64_t buffer = memory.allocate(4096, "buffer").value_or(0);
  const UndefinedWords undefined;
  const auto range = [&](bool is_store, std::uint64_t word) {
    return RangeEvent{AddressSpace::Global, is_store, true, 4, kLanes, buffer + 4 * word, nullptr};
  };
  const auto store = [&](std::uint64_t word) {
    RangeEvent made = range(true, word);
    made.is_one_address = false;
    return made;
  };
  for (int which = 0; which < 5; ++which) {
    CalmPages pages;
    pages.begin({&memory, &memory, &undefined, kLanes, false});
    EXPECT_TRUE(pages.touch(store(0), 0, 0));   // by a block that goes on
    EXPECT_TRUE(pages.touch(store(64), 1, 0));  // by one that ends
    EXPECT_TRUE(pages.touch(range(false, 128), 0, 0));
    EXPECT_TRUE(pages.touch(range(false, 128), 3, 0));
    pages.begin_phase(0);
    pages.end_block(1);
    for (int k = 0; k < 300'000; ++k) {
      ASSERT_TRUE(pages.touch(store(192), 2, 0));
      pages.begin_phase(2);
    }
    if (which == 0) {
      EXPECT_TRUE(pages.touch(store(0), 0, 1)) << "its own, before a barrier";
      EXPECT_TRUE(pages.touch(store(192), 2, 1)) << "its own, before a barrier";
      EXPECT_TRUE(pages.touch(range(false, 128), 4, 0)) << "read by several";
    }
    if (which == 1) {
      EXPECT_FALSE(pages.touch(range(false, 0), 2, 0)) << "another's";
    }
    if (which == 2) {
      EXPECT_FALSE(pages.touch(range(false, 64), 0, 0)) << "of one that has ended";
    }
    if (which == 3) {
      EXPECT_FALSE(pages.touch(store(128), 0, 0)) << "read by several";
    }
    if (which == 4) {
      EXPECT_TRUE(pages.touch(store(192), 2, 0));
      EXPECT_FALSE(pages.touch(store(192), 2, 1)) << "in one phase";
    }
  }
}

}  // namespace calm_pages_test
}  // namespace warpsim
