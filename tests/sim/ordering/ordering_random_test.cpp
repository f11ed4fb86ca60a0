// The ordering of the race checker against the rules of PTX, kept the slow way, on random streams of operations.
//
// Shapes: two blocks of two warps of four lanes. The stream goes to both as sim/check/races.cpp gives it; then every
//         access so far is asked of every thread.
// Source: causality.h beside this file; it shares nothing with sim/check.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "sim/ordering/lane_clock.h"
#include "sim/ordering/orderings.h"
#include "tests/sim/ordering/causality.h"

namespace warpsim {
namespace ordering_random_test {

using testing::Causality;

constexpr unsigned kBlocks = 2, kWarps = 2, kLanes = 4;  // warps of a block, lanes of a warp
constexpr unsigned kOperations = 60;
constexpr std::uint32_t kStreams = 1'000;
constexpr LaneMask kAll = (LaneMask{1} << kLanes) - 1;

std::size_t thread_of(std::uint64_t warp, unsigned lane) { return warp * kLanes + lane; }

std::vector<std::size_t> blocks_of_threads() {
  std::vector<std::size_t> blocks;
  for (std::size_t thread = 0; thread < kBlocks * kWarps * kLanes; ++thread) blocks.push_back(thread / kWarps / kLanes);
  return blocks;
}

// The accesses of one instruction.
struct Accesses {
  Stamp stamp;
  LaneMask lanes = 0;
  std::vector<unsigned> numbers;  // by lane
};

class Stream {
 public:
  explicit Stream(std::uint32_t seed) : random_(seed), ordering_(kWarps, seed % 2 == 0) {}

  // Does one more operation, and compares; false: something differs.
  bool step() {
    choose_warp();
    switch (pick(16)) {
      case 0: access_weakly(); break;
      case 1:
      case 2:
      case 3:
      case 4: fence(); break;
      case 5:
      case 6:
      case 7: meet_in_warp(); break;
      case 8: meet_in_block(); break;
      default: access_strongly(); break;
    }
    if (pick(64) == 0) end_block();
    return compare();
  }
  const std::string& text() const { return text_; }
  const std::string& difference() const { return difference_; }
  std::size_t handed_over() const { return handed_over_; }  // answers that barriers alone do not give

 private:
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
  bool flip() { return pick(2) == 0; }
  LaneMask some_lanes() { return flip() ? kAll : 1 + pick(kAll); }
  std::uint64_t number() const { return std::uint64_t{block_} * kWarps + warp_; }

  void choose_warp() {
    do block_ = pick(kBlocks);
    while (block_ == ended_);
    warp_ = pick(kWarps);
    ordering_.select(block_, warp_);
  }
  void say(const std::string& what, LaneMask lanes) {
    text_ += "block " + std::to_string(block_) + " warp " + std::to_string(warp_) + " lanes " + lane_ranges(lanes) +
             ": " + what + "\n";
  }
  template <class F>
  void for_both(F f) {
    f(ptx_);
    f(rules_);
  }

  // The word of a lane; of shared memory, of the lane's block.
  struct Word {
    std::uint64_t address = 0;
    bool shared = false;
    std::uint64_t of_block(std::uint32_t block) const { return shared ? 100 + 10 * block + address : address; }
  };
  Word word() { return {pick(2), pick(4) == 0}; }

  void remember(LaneMask lanes) {
    Accesses& now = accesses_.emplace_back();
    now.stamp = ordering_.now();
    now.lanes = lanes;
    now.numbers.resize(kLanes);
    for_each_lane(lanes, [&](unsigned lane) {
      for_both([&](Causality& one) { now.numbers[lane] = one.step(thread_of(number(), lane)); });
    });
  }
  void access_weakly() {
    const LaneMask lanes = some_lanes();
    remember(lanes);
    if (flip()) return say("a weak access elsewhere", lanes);
    for_each_lane(lanes, [&](unsigned lane) {
      const Word to = word();
      say("a weak store to " + std::to_string(to.of_block(block_)), lane_bit(lane));
      ordering_.overwrite(to.address, to.shared);
      for_both([&](Causality& one) { one.store_weakly(to.of_block(block_)); });
    });
  }
  void access_strongly() {
    const LaneMask lanes = some_lanes();
    const Word to = word();  // of all lanes: one instruction is of one space
    StrongAccess how;
    const unsigned kind = pick(4);  // a load, a store, an atomic
    how.reads = kind != 1;
    how.writes = kind != 0;
    how.acquires = how.reads && pick(3) == 0;
    how.releases = how.writes && pick(3) == 0;
    how.reach = flip() ? Reach::Device : Reach::Block;
    how.shared = to.shared;
    remember(lanes);
    ordering_.begin_access(how.releases, how.writes);
    std::vector<unsigned> turns;
    for_each_lane(lanes, [&](unsigned lane) { turns.push_back(lane); });
    std::shuffle(turns.begin(), turns.end(), random_);
    for (const unsigned lane : turns) {
      Word own = word();
      own.shared = to.shared;
      how.address = own.address;
      say(std::string(how.acquires ? "acquires, " : "") + (how.releases ? "releases, " : "") +
              (how.reads ? "reads " : "") + (how.writes ? "writes " : "") + std::to_string(own.of_block(block_)) +
              (how.reach == Reach::Device ? " of the device" : " of the block"),
          lane_bit(lane));
      ordering_.access(lane, how);
      for_both([&](Causality& one) {
        one.access(thread_of(number(), lane), {own.of_block(block_), how.reads, how.writes, how.acquires, how.releases,
                                               how.reach == Reach::Device});
      });
    }
  }
  void fence() {
    const LaneMask lanes = some_lanes();
    const bool wide = flip(), sc = flip();
    say(std::string(sc ? "fence.sc" : "fence.acq_rel") + (wide ? " of the device" : " of the block"), lanes);
    ordering_.fence(lanes, wide ? Reach::Device : Reach::Block, sc);
    for_each_lane(lanes, [&](unsigned lane) {
      for_both([&](Causality& one) { one.fence(thread_of(number(), lane), wide, sc); });
    });
  }
  void meet_in_warp() {
    const LaneMask lanes = some_lanes();
    say("bar.warp", lanes);
    const SyncEvent::Arrival arrival{warp_, 0, lanes};
    ordering_.synchronize({SyncEvent::Kind::Warp, block_, kAll, false, std::span(&arrival, 1)});
    std::vector<std::size_t> threads;
    for_each_lane(lanes, [&](unsigned lane) { threads.push_back(thread_of(number(), lane)); });
    for_both([&](Causality& one) { one.meet(threads); });
  }
  // All warps, or one alone at a barrier of its own.
  void meet_in_block() {
    std::vector<SyncEvent::Arrival> arrivals;
    std::vector<std::size_t> threads;
    const bool all = pick(3) != 0;
    for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
      if (!all && warp != warp_) continue;
      arrivals.push_back({warp, 0, kAll});
      for (unsigned lane = 0; lane < kLanes; ++lane)
        threads.push_back(thread_of(std::uint64_t{block_} * kWarps + warp, lane));
    }
    say(all ? "bar.sync" : "bar.sync of the warp", kAll);
    ordering_.synchronize({SyncEvent::Kind::Block, block_, kAll, false, arrivals});
    for_both([&](Causality& one) { one.meet(threads); });
  }
  void end_block() {
    if (ended_ < kBlocks) return;
    ended_ = block_;
    say("the block ends", kAll);
    ordering_.end_block(block_);
  }

  bool compare() {
    for (std::uint32_t block = 0; block < kBlocks; ++block) {
      if (block == ended_) continue;
      for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
        ordering_.select(block, warp);
        for (const Accesses& before : accesses_)
          for (unsigned lane = 0; lane < kLanes; ++lane)
            if (!compare_with(before, std::uint64_t{block} * kWarps + warp, lane)) return false;
      }
    }
    return true;
  }
  bool compare_with(const Accesses& before, std::uint64_t warp, unsigned lane) {
    const LaneMask unordered = ordering_.unordered(before.stamp, before.lanes, lane);
    bool same = true;
    for_each_lane(before.lanes, [&](unsigned u) {
      const std::size_t first = thread_of(before.stamp.warp, u), thread = thread_of(warp, lane);
      const bool ordered = (unordered & lane_bit(u)) == 0;
      handed_over_ += ordered && before.stamp.warp / kWarps != warp / kWarps ? 1 : 0;
      const bool by_rules = rules_.is_before(first, before.numbers[u], thread);
      const bool by_ptx = ptx_.is_before(first, before.numbers[u], thread);
      if (ordered == by_rules && (by_ptx || !ordered)) return;
      same = false;
      difference_ = "access " + std::to_string(before.numbers[u]) + " of warp " + std::to_string(before.stamp.warp) +
                    " lane " + std::to_string(u) + ", before what warp " + std::to_string(warp) + " lane " +
                    std::to_string(lane) + " does now: checker " + (ordered ? "yes" : "no") + ", its rules " +
                    (by_rules ? "yes" : "no") + ", PTX " + (by_ptx ? "yes" : "no");
    });
    return same;
  }

  std::mt19937 random_;
  Orderings ordering_;
  Causality ptx_{blocks_of_threads(), Causality::Rules::Ptx};
  Causality rules_{blocks_of_threads(), Causality::Rules::Checker};
  std::vector<Accesses> accesses_;
  std::uint32_t block_ = 0, warp_ = 0, ended_ = kBlocks;  // kBlocks: none
  std::string text_, difference_;
  std::size_t handed_over_ = 0;
};

TEST(OrderingRandom, SaysWhatTheRulesSay) {
  std::size_t handed_over = 0;
  for (std::uint32_t seed = 0; seed < kStreams; ++seed) {
    Stream stream(seed);
    for (unsigned k = 0; k < kOperations; ++k)
      ASSERT_TRUE(stream.step()) << "seed " << seed << "\n" << stream.text() << stream.difference();
    handed_over += stream.handed_over();
  }
  EXPECT_GT(handed_over, 40U * kStreams) << "hardly any block comes after another";
}

// A lane clock is a table of maxima, whatever its copies share.
TEST(OrderingRandom, LaneClocksAreTables) {
  constexpr std::size_t kClocks = 4, kKnownWarps = 4;
  constexpr std::array<std::uint64_t, kKnownWarps> kNumbers = {1, 14, 40, 700};  // two of them neighbours
  using Table = std::array<std::array<std::uint32_t, kLanes>, kKnownWarps>;
  std::mt19937 random(1);
  const auto pick = [&](std::size_t count) { return random() % count; };
  std::size_t raised_together = 0;
  for (unsigned round = 0; round < 2'000; ++round) {
    std::array<LaneClock, kClocks> clocks;
    std::array<Table, kClocks> tables{};
    for (unsigned k = 0; k < 30; ++k) {
      const std::size_t one = pick(kClocks), other = pick(kClocks), warp = pick(kKnownWarps);
      const unsigned lane = static_cast<unsigned>(pick(kLanes));
      const std::uint32_t version = static_cast<std::uint32_t>(pick(20));
      switch (pick(7)) {
        case 0:
          clocks[one].raise(kNumbers[warp], version);
          for (std::uint32_t& each : tables[one][warp]) each = std::max(each, version);
          break;
        case 1:
          clocks[one].forget(kNumbers[warp]);
          tables[one][warp] = {};
          break;
        case 2:
          clocks[one] = clocks[other];
          tables[one] = tables[other];
          break;
        case 3:
          clocks[one].join(clocks[other]);
          for (std::size_t w = 0; w < kKnownWarps; ++w)
            for (unsigned l = 0; l < kLanes; ++l) tables[one][w][l] = std::max(tables[one][w][l], tables[other][w][l]);
          break;
        case 4: {
          std::vector<std::size_t> alike;
          for (std::size_t c = 0; c < kClocks; ++c)
            if (clocks[c].is_same(clocks[one])) alike.push_back(c);
          if (clocks[one].empty() || !clocks[one].is_shared_by(static_cast<long>(alike.size()))) break;
          if (!clocks[one].raise_for_all(kNumbers[warp], version)) break;
          ++raised_together;
          for (const std::size_t c : alike)
            for (std::uint32_t& each : tables[c][warp]) each = std::max(each, version);
          break;
        }
        default:
          clocks[one].raise(kNumbers[warp], lane, version);
          tables[one][warp][lane] = std::max(tables[one][warp][lane], version);
      }
      for (std::size_t c = 0; c < kClocks; ++c)
        for (std::size_t w = 0; w < kKnownWarps; ++w)
          for (unsigned l = 0; l < kLanes; ++l) {
            ASSERT_EQ(clocks[c].of(kNumbers[w], l), tables[c][w][l]) << "round " << round;
            ASSERT_LE(clocks[c].of_all(kNumbers[w]), tables[c][w][l]) << "round " << round;
          }
    }
  }
  EXPECT_GT(raised_together, 100U);
}

// One covers another if joining that changes nothing, but for one warp.
TEST(OrderingRandom, LaneClocksCoverWhatTheyKnow) {
  constexpr std::array<std::uint64_t, 3> kNumbers = {1, 14, 40};
  std::mt19937 random(1);
  const auto pick = [&](std::size_t count) { return random() % count; };
  std::size_t covered = 0, not_covered = 0;
  for (unsigned round = 0; round < 20'000; ++round) {
    std::array<LaneClock, 2> clocks;
    for (LaneClock& clock : clocks)
      for (std::size_t k = pick(6); k > 0; --k) {
        const std::uint32_t version = static_cast<std::uint32_t>(1 + pick(2));
        if (pick(2) == 0) clock.raise(kNumbers[pick(3)], version);
        else clock.raise(kNumbers[pick(3)], static_cast<unsigned>(pick(2)), version);
      }
    const std::uint64_t but = kNumbers[pick(3)];
    LaneClock joined = clocks[0];
    joined.join(clocks[1]);
    bool changes = false;
    for (const std::uint64_t number : kNumbers)
      for (unsigned lane = 0; number != but && lane < kMaxLanes; ++lane)
        changes = changes || joined.of(number, lane) != clocks[0].of(number, lane);
    ASSERT_EQ(clocks[0].covers(clocks[1], but), !changes) << "round " << round;
    ASSERT_TRUE(joined.covers(clocks[0], 0) && joined.covers(clocks[1], 0)) << "round " << round;
    ++(changes ? not_covered : covered);
  }
  EXPECT_GT(std::min(covered, not_covered), 1'000U);
}

}  // namespace ordering_random_test
}  // namespace warpsim
