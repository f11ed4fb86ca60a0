// What a checker finds where it hears of accesses at once, against what it finds event by event.
//
// Shapes: random programs of two to four warps in each of two to four blocks: loads, stores and atomics of several
// sizes through
//         pointers, with indices of many kinds, guards, barriers, fences, loops; some of what they read is undefined.
//         Findings must be the same in every word, in order.
// Source: sim/event/observer.h, EventSink::hears_at_once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/check/checker.h"
#include "sim/engine/compiled.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace warpsim {
namespace heard_at_once_test {

// Counts what it has heard at once.
class Quick : public Checker {
 public:
  bool hears_at_once(const AccessPlace& place, const MemoryEvent& event) override {
    const bool heard = Checker::hears_at_once(place, event);
    if (heard) ++(event.access == MemoryEvent::Access::Atomic ? atomics : accesses);
    return heard;
  }
  bool hears_range(const AccessPlace& place, const RangeEvent& event) override {
    const bool heard = Checker::hears_range(place, event);
    if (heard) ++ranges;
    return heard;
  }
  bool hears_lanes(const AccessPlace& place, const LanesEvent& event) override {
    const bool heard = Checker::hears_lanes(place, event);
    if (heard) ++lanes;
    return heard;
  }
  int accesses = 0, atomics = 0, ranges = 0, lanes = 0;
};
class Slow : public Checker {
 public:
  bool can_hear_at_once() const override { return false; }
  bool hears_at_once(const AccessPlace&, const MemoryEvent&) override { return false; }
};

std::string told(const Checker& checker) {
  std::string text;
  for (const RunFinding& one : checker.found()) {
    text += code(one.code) + " cycle " + std::to_string(one.cycle) + " block " + std::to_string(one.block) + " warp " +
            std::to_string(one.warp) + " pc " + std::to_string(one.pc) + " lanes " + lane_ranges(one.lanes) + ": " +
            english(one.message) + " " + english(one.hint) + "\n";
    for (const FindingStep& step : one.steps)
      text += "  " + std::to_string(step.cycle) + " " + std::to_string(step.pc) + " " + lane_ranges(step.lanes) + " " +
              english(step.text) + "\n";
    for (const LanePlace& place : one.places)
      text += "  at " + std::to_string(place.pc) + " " + lane_ranges(place.lanes) + "\n";
  }
  return text;
}

constexpr int kPrograms = testing::kSanitized ? 200 : 1200;

class Drawing {
 public:
  // `reads`: there is another buffer, which mostly is only read.
  explicit Drawing(std::uint32_t seed, bool reads = false) : state_(seed), reads_(reads) {}

  std::string draw() {
    text_ = ".kernel k (inout out: u32[]" + std::string(reads_ ? ", inout in: u32[])\n" : ")\n") +
            ".shared u32 tile[512]\n mov.u64 %g, out\n mov.u32 %s, tile\n";
    if (reads_) text_ += " mov.u64 %r, in\n";
    text_ += " mov.u32 %a, %tid.x\n mov.u32 %c, 5\n mov.u32 %d, 6\n mov.u32 %e, 7\n mov.u64 %w, 9\n mov.u64 %x, 3\n";
    if (below(4) != 0) fill();
    // One in four reads what nobody has written.
    const bool loops = below(3) == 0;
    if (loops) text_ += " mov.u32 %n, 0\nround:\n";
    const unsigned lines = 2 + below(7);
    for (unsigned line = 0; line < lines; ++line) {
      add_access();
      const unsigned then = below(16);
      if (then < 5) text_ += " bar.sync 0\n";
      else if (then == 5) text_ += " bar.warp.sync\n";
      else if (then == 7) text_ += " shfl.down.b32 %a, %a, 4\n";
      else if (then == 8) text_ += " shfl.bfly.b32 %c, %a, 2\n";
      else if (then == 6) text_ += " fence.acq_rel.gpu\n";
    }
    if (loops) text_ += " add.u32 %n, %n, 1\n setp.lt.u32 %more, %n, 4\n @%more bra round\n";
    return text_ + " exit\n";
  }

 private:
  unsigned below(unsigned n) {
    state_ = state_ * 1664525 + 1013904223;
    return (state_ >> 16) % n;
  }
  void fill() {
    text_ += " shl.b32 %i, %tid.x, 4\n add.u32 %i, %i, %s\n st.shared.v4.u32 [%i], {%a, %c, %d, %e}\n";
    if (below(3) != 0) text_ += " bar.sync 0\n";
  }

  // %i: where this thread goes, in elements.
  void add_index(bool is_plain) {
    static constexpr const char* kIndices[] = {
        " mov.u32 %i, %tid.x\n",
        " mov.u32 %i, %tid.x\n",
        " add.u32 %i, %tid.x, 1\n",
        " xor.b32 %i, %tid.x, 32\n",
        " xor.b32 %i, %tid.x, 1\n",
        " shr.u32 %i, %tid.x, 1\n",
        " shr.u32 %i, %tid.x, 5\n",
        " shr.u32 %i, %tid.x, 4\n",
        " and.b32 %i, %tid.x, 7\n",
        " mul.lo.u32 %i, %tid.x, 7\n and.b32 %i, %i, 63\n",
        " mul.lo.u32 %i, %tid.x, %tid.x\n and.b32 %i, %i, 31\n",
        " mov.u32 %i, 6\n",
    };
    static constexpr unsigned kPlain[] = {0, 0, 2, 6};
    text_ += kIndices[is_plain ? kPlain[below(4)] : below(12)];
    if (below(2) == 0) text_ += " mad.lo.u32 %i, %ctaid.x, 64, %i\n";
  }

  void add_access() {
    struct Size {
      const char *suffix, *shift, *values;
    };
    static constexpr Size kSizes[] = {{".u32", "2", "%c"},          {".u32", "2", "%a"},
                                      {".v2.u32", "3", "{%a, %c}"}, {".v4.u32", "4", "{%a, %c, %d, %e}"},
                                      {".u64", "3", "%w"},          {".v2.u64", "4", "{%w, %x}"},
                                      {".u8", "0", "%h"},           {".u16", "1", "%h"}};
    static constexpr const char* kAtomics[] = {"add.u32", "max.u32", "and.b32", "add.u64"};
    const bool shared = below(reads_ ? 5 : 2) == 0, is_atomic = below(reads_ ? 16 : 4) == 0;
    const bool stores = below(reads_ ? 9 : 3) == 0, is_small = below(reads_ ? 2 : 6) == 0;
    const bool is_plain = reads_ && below(2) == 0;
    const Size& size = kSizes[is_plain && below(2) == 0 ? 0 : below(is_small ? 8 : 6)];
    const char* const atomic = kAtomics[below(4)];
    const bool is_wide = std::string(atomic).find("64") != std::string::npos;
    add_index(is_plain);
    text_ += std::string(" shl.b32 %i, %i, ") + (is_atomic ? is_wide ? "3" : "2" : size.shift) + "\n";
    const bool changes = is_atomic || stores, from_in = reads_ && !shared && (below(16) < (changes ? 1U : 12U));
    text_ += shared    ? " and.b32 %i, %i, 1023\n add.u32 %at, %s, %i\n"
             : from_in ? " cvt.u64.u32 %o, %i\n add.u64 %to, %r, %o\n"
                       : " cvt.u64.u32 %o, %i\n add.u64 %to, %g, %o\n";
    const unsigned guard = is_plain ? 8 : below(8);
    if (guard == 0) text_ += " setp.lt.u32 %p, %tid.x, 32\n";
    else if (guard == 1) text_ += " setp.ge.u32 %p, %laneid, 8\n";
    else if (guard == 2) text_ += " and.b32 %b, %tid.x, 1\n setp.eq.u32 %p, %b, 1\n";
    else if (guard == 3) text_ += " setp.eq.u32 %p, %tid.x, 3\n";
    const std::string space = shared ? "shared" : "global", at = shared ? "[%at]" : "[%to]";
    if (!is_atomic && stores && std::string(size.values) == "%h") text_ += " mov.u16 %h, 7\n";
    if (below(3) == 0) text_ += " mad.lo.u32 %a, %tid.x, 3, " + std::to_string(below(9)) + "\n";
    text_ += guard < 4 ? " @%p " : " ";
    if (is_atomic) {
      static constexpr const char* kMeanings[] = {"", "", "", ".relaxed.cta", ".relaxed.gpu", ".acq_rel.gpu"};
      const std::string value = is_wide ? "%x" : "%c";
      text_ += below(2) == 0
                   ? "red" + std::string(kMeanings[below(6)]) + "." + space + "." + atomic + " " + at + ", " + value
                   : "atom" + std::string(kMeanings[below(6)]) + "." + space + "." + atomic +
                         (is_wide ? " %w, " : " %d, ") + at + ", " + value;
      text_ += "\n";
      return;
    }
    const std::string meaning = below(20) == 0 && std::string(size.suffix)[1] != 'v' ? ".volatile" : "";
    text_ += stores ? "st" + meaning + "." + space + size.suffix + " " + at + ", " + size.values + "\n"
                    : "ld" + meaning + "." + space + size.suffix + " " + size.values + ", " + at + "\n";
  }

  std::uint32_t state_;
  bool reads_;
  std::string text_;
};

TEST(HeardAtOnce, FindingsAreThoseOfTheEvents) {
  int with = 0, without = 0, accesses = 0, atomics = 0, ranges = 0, lanes = 0;
  for (std::uint32_t seed = 1; seed <= std::uint32_t{kPrograms}; ++seed) {
    const std::string text = Drawing(seed * 7919).draw();
    Quick quick;
    Slow slow;
    std::string of_quick, of_slow;
    for (Checker* const sink : {static_cast<Checker*>(&quick), static_cast<Checker*>(&slow)}) {
      const testing::Ran ran =
          testing::run_text(text, {.lanes = 32,
                                   .grid = {2 + seed % 3, 1, 1},
                                   .block = {64 + seed / 3 % 3 * 32, 1, 1},
                                   .buffers = {{"out", std::vector<std::uint64_t>(2048)}},
                                   .sinks = {sink},
                                   .schedule = kBlocksSchedule,
                                   .engine = seed % 2 == 0 ? EngineChoice::Compiled : EngineChoice::Interpreter});
      ASSERT_TRUE(ran.machine != nullptr && ran.result.ok)
          << ran.error.message << english(ran.result.trap.message) << text;
      (sink == &quick ? of_quick : of_slow) = told(*sink);
    }
    ASSERT_EQ(of_quick, of_slow) << "seed " << seed << "\n" << text;
    (of_slow.empty() ? without : with) += 1;
    accesses += quick.accesses;
    ranges += quick.ranges;
    atomics += quick.atomics;
    lanes += quick.lanes;
  }
  EXPECT_GT(with, kPrograms / 4);
  EXPECT_GT(without, kPrograms / 12);
  EXPECT_GT(accesses, 4 * kPrograms);
  EXPECT_GT(atomics, kPrograms / 4);
  EXPECT_GT(ranges, kPrograms / 2);
  EXPECT_GT(lanes, engine::can_compile() ? kPrograms / 4 : -1) << "machine code tells of them";
}

// Global memory is taken to be calm: then it was, and all is as it would have been; or the run is to be made again, and
// memory is what it was.
TEST(HeardAtOnce, ACalmRunFindsWhatTheEventsSay) {
  int calm = 0, with = 0, again = 0, unsaid = 0;
  CalmPages pages;
  std::vector<std::uint64_t> before(2048);
  for (std::uint64_t k = 0; k < before.size(); ++k) before[k] = 3 * k + 1;
  for (std::uint32_t seed = 1; seed <= std::uint32_t{kPrograms}; ++seed) {
    const std::string text = Drawing(seed * 6577).draw();
    const auto run = [&](Checker& checker) {
      UndefinedWords undefined;
      if (seed % 5 == 0) undefined.forget(DeviceMemory::kFirstAddress + 1028, 2000);
      checker.begin_with(std::move(undefined));
      return testing::run_text(text, {.lanes = 32,
                                      .grid = {2 + seed % 3, 1, 1},
                                      .block = {64 + seed / 3 % 3 * 32, 1, 1},
                                      .buffers = {{"out", before}},
                                      .sinks = {&checker},
                                      .schedule = kBlocksSchedule,
                                      .engine = seed % 2 == 0 ? EngineChoice::Compiled : EngineChoice::Interpreter});
    };
    Slow slow, calm_slow;
    Quick calm_quick;
    const testing::Ran expected = run(slow);
    ASSERT_TRUE(expected.result.ok) << text;
    Checker& checker = seed % 4 < 2 ? static_cast<Checker&>(calm_quick) : calm_slow;
    checker.take_as_calm(pages);
    const testing::Ran ran = run(checker);
    if (checker.must_repeat()) {
      UndefinedWords undefined = checker.undo();
      EXPECT_EQ(ran.buffer("out"), before) << "seed " << seed << "\n" << text;
      for (std::uint64_t k = 0; k < before.size() * 4; k += 4)
        ASSERT_EQ(undefined.are_defined(DeviceMemory::kFirstAddress + k, 4), seed % 5 != 0 || k < 1028 || k >= 3028);
      unsaid += told(slow).find("WS04") == std::string::npos;
      ++again;
    } else {
      ASSERT_TRUE(ran.result.ok);
      ASSERT_EQ(told(checker), told(slow)) << "seed " << seed << "\n" << text;
      ASSERT_EQ(ran.buffer("out"), expected.buffer("out")) << "seed " << seed << "\n" << text;
      calm += checker.is_taken_as_calm();
      with += !told(slow).empty();
    }
    pages.end();
  }
  EXPECT_GT(calm, kPrograms / 20);
  EXPECT_GT(with, kPrograms / 12) << "with findings";
  EXPECT_GT(again, kPrograms / 6);
  EXPECT_GT(unsaid, kPrograms / 120) << "made again, and no race is found";
}

// What was done to each byte of global memory.
class Touching : public Slow {
 public:
  void on_memory(const MemoryEvent& event) override {
    Slow::on_memory(event);
    if (event.space != AddressSpace::Global) return;
    const Way way = event.access == MemoryEvent::Access::Load    ? Way::Read
                    : event.access == MemoryEvent::Access::Store ? Way::Write
                                                                 : Way::Atomic;
    for_each_lane(event.lanes, [&](unsigned lane) {
      for (std::uint64_t k = 0; k < std::uint64_t{event.bytes} * event.elements; ++k) {
        Way& of = ways.try_emplace(event.address[lane] + k, way).first->second;
        of = std::max(of, way);
      }
    });
  }
  using Way = CalmPages::Way;
  std::map<std::uint64_t, Way> ways;
};

// Of two buffers one is only read, mostly: then code notes what it has read, and compares nothing.
TEST(HeardAtOnce, WhatIsOnlyReadIsNoted) {
  int calm = 0, again = 0, stored_to_read = 0, with_parts = 0;
  CalmPages pages;
  constexpr std::uint64_t kBehindOut = 0x3000;  // `in`
  std::vector<std::uint64_t> before(2048);
  for (std::uint64_t k = 0; k < before.size(); ++k) before[k] = 5 * k + 1;
  for (std::uint32_t seed = 1; seed <= std::uint32_t{kPrograms}; ++seed) {
    const std::string text = Drawing(seed * 6067, true).draw();
    const auto run = [&](Checker& checker) {
      UndefinedWords undefined;
      if (seed % 8 == 0) undefined.forget(DeviceMemory::kFirstAddress + 1028 + seed / 8 % 2 * kBehindOut, 2000);
      checker.begin_with(std::move(undefined));
      return testing::run_text(text, {.lanes = 32,
                                      .grid = {2 + seed % 3, 1, 1},
                                      .block = {64 + seed / 3 % 3 * 32, 1, 1},
                                      .buffers = {{"out", before}, {"in", before}},
                                      .sinks = {&checker},
                                      .schedule = kBlocksSchedule,
                                      .engine = seed % 4 != 0 ? EngineChoice::Compiled : EngineChoice::Interpreter});
    };
    Touching slow;
    Quick quick;
    ASSERT_TRUE(run(slow).result.ok) << text;
    // `out` is the first, which the program shows that it stores to.
    quick.take_as_calm(pages, {}, true, {DeviceMemory::kFirstAddress + 4});
    const testing::Ran ran = run(quick);
    ASSERT_EQ(ran.machine->buffer_address(1), DeviceMemory::kFirstAddress + kBehindOut);
    if (quick.must_repeat()) {
      stored_to_read += quick.calm_of_repeat().memory;
      quick.undo();
      EXPECT_EQ(ran.buffer("out"), before) << text;
      EXPECT_EQ(ran.buffer("in"), before) << text;
      ++again;
    } else if (quick.is_taken_as_calm()) {
      ASSERT_EQ(told(quick), told(slow)) << "seed " << seed << "\n" << text;
      std::map<std::uint64_t, CalmPages::Way> ways;
      pages.for_each_touched([&](CalmPages::Way way, std::uint64_t address, std::uint64_t size) {
        for (std::uint64_t k = 0; k < size; ++k) EXPECT_TRUE(ways.try_emplace(address + k, way).second);
      });
      EXPECT_EQ(ways, slow.ways) << "seed " << seed << "\n" << text;
      with_parts += text.find("global.u8") != std::string::npos || text.find("global.u16") != std::string::npos;
      ++calm;
    }
    pages.end();
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
  EXPECT_GT(calm, kPrograms / 5);
  EXPECT_GT(with_parts, kPrograms / 30);
  EXPECT_GT(again, kPrograms / 12);
  EXPECT_GT(stored_to_read, kPrograms / 60);
}

// A load that races leaves its words as they were, so that the second try hears of it, and later phases, too.
TEST(HeardAtOnce, ARaceSettlesNothing) {
  constexpr std::string_view kBegin =
      ".kernel k (out out: u32[64])\n.shared u32 tile[512]\n mov.u32 %s, tile\n mov.u32 %a, %tid.x\n"
      " shl.b32 %i, %tid.x, 2\n add.u32 %at, %s, %i\n add.u32 %up, %at, 1024\n xor.b32 %j, %i, 128\n"
      " add.u32 %other, %s, %j\n add.u32 %other, %other, 1024\n setp.ge.u32 %p, %tid.x, 32\n"
      " st.shared.u32 [%at], %a\n st.shared.u32 [%up], %a\n";
  constexpr std::string_view kAfterASettledWord =
      " bar.sync 0\n ld.shared.u32 %x, [%s]\n @%p st.shared.u32 [%up], %x\n ld.shared.u32 %y, [%other]\n exit\n";
  constexpr std::string_view kInASecondPhase =
      " mov.u32 %n, 0\nround:\n bar.sync 0\n @%p st.shared.u32 [%up], %n\n setp.eq.u32 %z, %n, 0\n"
      " @!%z bra second\n ld.shared.u32 %y, [%other]\n bra next\nsecond:\n ld.shared.u32 %y, [%other]\nnext:\n"
      " add.u32 %n, %n, 1\n setp.lt.u32 %more, %n, 2\n @%more bra round\n exit\n";
  for (const auto& [rest, races] : {std::pair{kAfterASettledWord, 1}, std::pair{kInASecondPhase, 2}})
    for (const EngineChoice engine : {EngineChoice::Interpreter, EngineChoice::Compiled}) {
      Quick quick;
      Slow slow;
      for (Checker* const sink : {static_cast<Checker*>(&quick), static_cast<Checker*>(&slow)})
        ASSERT_TRUE(
            testing::run_text(
                std::string(kBegin) + std::string(rest),
                {.lanes = 32, .block = {64, 1, 1}, .sinks = {sink}, .schedule = kBlocksSchedule, .engine = engine})
                .result.ok);
      EXPECT_EQ(slow.found().size(), static_cast<std::size_t>(races)) << told(slow);
      EXPECT_EQ(told(quick), told(slow)) << rest;
    }
}

// Vectors of all lanes, anywhere in shared and in global memory: what a lane has in shared memory, machine code
// compares as one.
std::string vectors_anywhere(std::uint32_t seed) {
  const auto below = [&seed](std::uint32_t n) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 16) % n;
  };
  struct Size {
    const char *type, *shift, *values;
  };
  static constexpr Size kSizes[] = {{"v4.u32", "4", "{%a, %c, %d, %e}"},
                                    {"v2.u64", "4", "{%w, %x}"},
                                    {"v2.u32", "3", "{%a, %c}"},
                                    {"u64", "3", "%w"}};
  static constexpr const char* kAnywhere[] = {"mul.lo.u32 %i, %tid.x, 7", "xor.b32 %i, %tid.x, 33",
                                              "mul.lo.u32 %i, %tid.x, 11", "brev.b32 %i, %tid.x\n shr.u32 %i, %i, 26"};
  static constexpr const char* kMet[] = {"shr.u32 %i, %tid.x, 1", "mul.lo.u32 %i, %tid.x, %tid.x", "mov.u32 %i, 6",
                                         "and.b32 %i, %tid.x, 3"};
  std::string text =
      ".kernel k (inout out: u32[])\n.shared u32 tile[256]\n mov.u64 %g, out\n mov.u32 %s, tile\n"
      " mov.u32 %a, %tid.x\n mov.u32 %c, 5\n mov.u32 %d, 6\n mov.u32 %e, 7\n mov.u64 %w, 9\n mov.u64 %x, 3\n";
  const auto access = [&](bool is_load, bool shared, bool met) {
    const Size& size = kSizes[below(4)];
    text += std::string(" ") + (met ? kMet : kAnywhere)[below(4)] + "\n and.b32 %i, %i, 63\n shl.b32 %i, %i, " +
            size.shift + "\n add.u32 %at, %s, %i\n cvt.u64.u32 %o, %i\n add.u64 %to, %g, %o\n";
    const std::string at = shared ? "[%at]" : "[%to]", space = shared ? ".shared." : ".global.";
    text += is_load ? " ld" + space + size.type + " " + size.values + ", " + at + "\n"
                    : " st" + space + size.type + " " + at + ", " + size.values + "\n";
  };
  if (below(4) != 0) text += " shl.b32 %i, %tid.x, 4\n add.u32 %i, %i, %s\n st.shared.v4.u32 [%i], {%a, %c, %d, %e}\n";
  text += " bar.sync 0\n";
  for (std::uint32_t left = 2 + below(4); left != 0; --left) {
    const bool is_load = below(3) != 0, shared = below(4) != 0;
    access(is_load, shared, below(is_load ? 3 : 12) == 0);
    if (below(4) != 0) text += " bar.sync 0\n";
  }
  return text +
         " cvt.u32.u64 %v, %w\n xor.b32 %v, %v, %a\n xor.b32 %v, %v, %c\n setp.eq.u32 %p, %v, 99\n"
         " @%p bra end\n mov.u32 %a, 1\nend:\n exit\n";
}

TEST(HeardAtOnce, VectorsOfLanesAnywhereAreCalmWhereTheEventsSaySo) {
  int calm = 0, again = 0, undefined = 0;
  CalmPages pages;
  std::vector<std::uint64_t> before(2048, 1);
  for (std::uint32_t seed = 1; seed <= std::uint32_t{kPrograms}; ++seed) {
    const std::string text = vectors_anywhere(seed * 7331);
    const auto run = [&](Checker& checker) {
      checker.begin_with({});
      return testing::run_text(text, {.lanes = 32,
                                      .block = {64, 1, 1},
                                      .buffers = {{"out", before}},
                                      .sinks = {&checker},
                                      .schedule = kBlocksSchedule,
                                      .engine = EngineChoice::Compiled});
    };
    Slow slow;
    Quick quick;
    ASSERT_TRUE(run(slow).result.ok) << text;
    quick.take_as_calm(pages);
    const testing::Ran ran = run(quick);
    const std::string expected = told(slow);
    if (quick.must_repeat()) {
      quick.undo();
      EXPECT_EQ(ran.buffer("out"), before) << text;
      ++again;
    } else {
      ASSERT_EQ(told(quick), expected) << "seed " << seed << "\n" << text;
      EXPECT_EQ(expected.find("WS04"), std::string::npos) << "a race that was taken to be calm\n" << text;
      ++calm;
      undefined += !expected.empty();
    }
    pages.end();
  }
  EXPECT_GT(calm, kPrograms / 3);
  EXPECT_GT(undefined, kPrograms / 12);
  EXPECT_GT(again, kPrograms / 12);
}

}  // namespace heard_at_once_test
}  // namespace warpsim
