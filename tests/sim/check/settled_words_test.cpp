// Loads of settled words: who watches hears of few of them, and finds what it would have found.
//
// Source: sim/event/settled_words.h; races.h says when a word is settled: two blocks have read it, nobody has written
// it, so whoever writes it races with one of them.
#include "sim/event/settled_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/check/checker.h"
#include "tests/support/run.h"

namespace warpsim {
namespace settled_words_test {

TEST(SettledWords, BitsGoOnThroughWords) {
  std::uint32_t bits[4] = {};
  for_each_word_of_bits(bits, 30, 40, [](std::uint32_t& word, std::uint32_t mask) { word |= mask; });
  EXPECT_EQ(bits[0], 0xc0000000U);
  EXPECT_EQ(bits[1], 0xffffffffU);
  EXPECT_EQ(bits[2], 0x3fU);
  EXPECT_EQ(bits[3], 0U);
  EXPECT_TRUE(are_all_set(bits, 30, 40));
  EXPECT_FALSE(are_all_set(bits, 29, 2));
  EXPECT_FALSE(are_all_set(bits, 64, 7));
  EXPECT_TRUE(are_all_set(bits, 69, 1));
}

class Counting : public Checker {
 public:
  bool hears_at_once(const AccessPlace& place, const MemoryEvent& event) override {
    ++heard;
    return Checker::hears_at_once(place, event);
  }
  bool hears_range(const AccessPlace& place, const RangeEvent& event) override {
    const bool is_heard = Checker::hears_range(place, event);
    if (is_heard) ++heard;
    return is_heard;
  }
  int heard = 0;
};

// Blocks of four warps read the same words, a hundred times; `then` follows.
constexpr unsigned kBlocks = 8, kWarps = 4, kRounds = 100;
std::string reading(const std::string& address, const std::string& load, const std::string& then) {
  return ".kernel k (inout out: u32[])\n.shared u32 tile[128]\n mov.u64 %g, out\n mov.u32 %s, tile\n"
         " mov.u32 %n, 0\n mov.u32 %sum, 0\n mov.u32 %high, 0\n and.b32 %i, %tid.x, 31\n shl.b32 %i, %i, 2\n"
         " mov.u32 %t, %tid.x\n shl.b32 %t, %t, 2\n add.u32 %to, %s, %t\n st.shared.u32 [%to], %t\n bar.sync 0\n" +
         address + "round:\n" + load + " add.u32 %sum, %sum, %a\n add.u32 %n, %n, 1\n setp.lt.u32 %more, %n, " +
         std::to_string(kRounds) + "\n @%more bra round\n" + then + " exit\n";
}

struct Watched {
  int heard = 0;
  std::vector<RunFinding> found;
};
Watched watched(const std::string& text, EngineChoice engine) {
  Counting sink;
  const testing::Ran ran = testing::run_text(text, {.lanes = 32,
                                                    .grid = {kBlocks, 1, 1},
                                                    .block = {kWarps * 32, 1, 1},
                                                    .buffers = {{"out", std::vector<std::uint64_t>(256, 1)}},
                                                    .sinks = {&sink},
                                                    .schedule = kBlocksSchedule,
                                                    .engine = engine});
  EXPECT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << english(ran.result.trap.message) << text;
  return {sink.heard, sink.found()};
}

struct Reading {
  const char *name, *address, *load;
  bool shared = false;
};
const Reading kReadings[] = {
    {"neighbours", " cvt.u64.u32 %o, %i\n add.u64 %from, %g, %o\n", " ld.global.u32 %a, [%from]\n"},
    {"neighbours, from a word within a row of bits on", " cvt.u64.u32 %o, %i\n add.u64 %from, %g, %o\n",
     " ld.global.u32 %a, [%from + 20]\n"},
    {"neighbours of eight bytes", " cvt.u64.u32 %o, %i\n add.u64 %o, %o, %o\n add.u64 %from, %g, %o\n",
     " ld.global.u64 %w, [%from]\n mov.b64 {%a, %high}, %w\n"},
    {"one address", " mov.u64 %from, %g\n", " ld.global.u32 %a, [%from + 20]\n"},
    {"a vector at one address", " mov.u64 %from, %g\n", " ld.global.v4.u32 {%a, %b, %c, %d}, [%from + 16]\n"},
    {"here and there", " and.b32 %i, %i, 28\n cvt.u64.u32 %o, %i\n add.u64 %from, %g, %o\n",
     " ld.global.u32 %a, [%from]\n"},
    {"shared memory", " add.u32 %from, %s, %i\n", " ld.shared.u32 %a, [%from]\n", true},
    {"one address in shared memory", " mov.u32 %from, %s\n", " ld.shared.u32 %a, [%from + 20]\n", true},
};
const EngineChoice kEngines[] = {EngineChoice::Interpreter, EngineChoice::Compiled};

// Of a word the loads of the first two blocks, or warps, are heard: a small part.
TEST(SettledWords, MostLoadsGoUnheard) {
  for (const Reading& one : kReadings) {
    if (one.name == std::string("here and there")) continue;  // of those it is asked
    const Watched ran = watched(reading(one.address, one.load, ""), EngineChoice::Compiled);
    EXPECT_TRUE(ran.found.empty()) << one.name;
    const int loads = static_cast<int>(kBlocks * kWarps * kRounds);
    EXPECT_GT(ran.heard, 0) << one.name;
    EXPECT_LT(ran.heard, loads / 2) << one.name;
  }
}

// Where a fence may order blocks, a third reader may be the only one that a write races with: all are heard.
TEST(SettledWords, WhereAFenceOrdersAllLoadsAreHeard) {
  for (const Reading& one : kReadings) {
    const Watched ran = watched(reading(one.address, one.load, " fence.acq_rel.gpu\n"), EngineChoice::Compiled);
    EXPECT_GE(ran.heard, static_cast<int>(kBlocks * kWarps * kRounds)) << one.name;
  }
}

// The last block, or warp, whose loads are heard no more, writes one of the words.
TEST(SettledWords, AWriteIsARaceAllTheSame) {
  for (const Reading& one : kReadings) {
    const std::string then = one.shared ? " setp.eq.u32 %p, %tid.x, 127\n add.u32 %to, %s, 20\n"
                                          " @%p st.shared.u32 [%to], %n\n"
                                        : " setp.eq.u32 %q, %ctaid.x, " + std::to_string(kBlocks - 1) +
                                              "\n setp.eq.u32 %r, %tid.x, 3\n and.pred %p, %q, %r\n"
                                              " @%p st.global.u32 [%g + 20], %n\n";
    std::string told[2];
    for (const EngineChoice engine : kEngines) {
      const std::vector<RunFinding> found = watched(reading(one.address, one.load, then), engine).found;
      for (const RunFinding& f : found) told[engine == kEngines[1]] += english(f.message) + "\n";
      const Finding race = one.shared ? Finding::RaceInBlock : Finding::RaceInGrid;
      EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const RunFinding& f) { return f.code == race; }))
          << one.name;
    }
    EXPECT_EQ(told[0], told[1]) << one.name;
  }
}

// A word that is written is not settled any more: who reads it then is heard, as a race.
TEST(SettledWords, AfterAWriteLoadsAreHeard) {
  const std::string then =
      " setp.ne.u32 %p, %ctaid.x, 4\n @%p bra readers\n st.global.u32 [%g + 20], %n\n bra done\n"
      "readers:\n ld.global.u32 %b, [%g + 20]\ndone:\n";
  for (const EngineChoice engine : kEngines) {
    const std::vector<RunFinding> found = watched(reading(kReadings[0].address, kReadings[0].load, then), engine).found;
    bool reads_late = false;
    for (const RunFinding& one : found) reads_late = reads_late || one.block > 4;
    EXPECT_TRUE(reads_late);
  }
}

}  // namespace settled_words_test
}  // namespace warpsim
