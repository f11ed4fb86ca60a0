// An untraced run, in which warps run ahead side by side, is the same as an observed one.
//
// Shapes: more warps than go side by side, several a block, the last one of a block partial or not.
// Errors: none.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/run.h"

namespace warpsim {
namespace run_ahead_test {

using testing::Ran;
using testing::run_text;
using testing::RunSetup;

// Warp w loops 1 + w % 5 times. In an iteration, even warps take one path and odd ones the other; every fourth warp's
// lanes diverge. Guards let the lanes below the middle add something else than those above.
constexpr const char* kDifferentWays = R"(.kernel k (in a: u32[], out o: u32[])
    shl.b32 %w, %ctaid.x, 2
    add.u32 %w, %w, %warpid
    rem.u32 %n, %w, 5
    add.u32 %n, %n, 1
    mov.u32 %v, %w
    and.b32 %odd, %w, 1
    and.b32 %four, %w, 3
    setp.ne.u32 %is_odd, %odd, 0
    setp.eq.u32 %parts, %four, 3
    setp.lt.u32 %low, %laneid, WARP_SZ / 2
    and.pred %parts, %parts, %low
again: @%is_odd bra odd
    add.u32 %v, %v, 100
    bra both
odd: add.u32 %v, %v, 10000
both: @%parts bra skip
    add.u32 %v, %v, 1000000
skip: @%low add.u32 %v, %v, 100000000
    @!%low add.u32 %v, %v, 3
    sub.u32 %n, %n, 1
    setp.ne.u32 %more, %n, 0
    @%more bra again
    ld.global.u32 %c, a[%w]
    add.u32 %v, %v, %c
    mad.lo.u32 %i, %w, WARP_SZ, %laneid
    st.global.u32 o[%i], %v
    exit
)";
constexpr unsigned kBlocks = 7, kWarpsPerBlock = 4, kWarps = kBlocks * kWarpsPerBlock;

RunSetup setup(unsigned lanes, std::size_t inputs, unsigned missing_threads = 0) {
  RunSetup s{.lanes = lanes, .grid = {kBlocks, 1, 1}, .block = {kWarpsPerBlock * lanes - missing_threads, 1, 1}};
  s.buffers["a"] = std::vector<std::uint64_t>(inputs, 7);
  s.buffers["o"] = std::vector<std::uint64_t>(std::size_t{kWarps} * lanes, 0);
  return s;
}

Ran watched(const std::string& text, RunSetup s) {
  EventSink sink;
  s.sinks = {&sink};
  return run_text(text, s);
}

void expect_alike(const Ran& plain, const Ran& seen) {
  EXPECT_EQ(plain.result.ok, seen.result.ok);
  EXPECT_EQ(plain.result.cycles, seen.result.cycles);
  EXPECT_EQ(plain.result.instructions, seen.result.instructions);
  EXPECT_EQ(plain.buffer("o"), seen.buffer("o"));
  if (plain.result.ok) return;
  EXPECT_EQ(plain.result.trap.kind, seen.result.trap.kind);
  EXPECT_EQ(english(plain.result.trap.message), english(seen.result.trap.message));
  EXPECT_EQ(plain.result.trap.cycle, seen.result.trap.cycle);
  EXPECT_EQ(plain.result.trap.block, seen.result.trap.block);
  EXPECT_EQ(plain.result.trap.warp, seen.result.trap.warp);
  EXPECT_EQ(plain.result.trap.pc, seen.result.trap.pc);
}

TEST(RunAhead, WarpsThatTakeDifferentPathsEndWhereTheyWouldAlone) {
  for (const unsigned lanes : {4U, 32U, 64U}) {
    const Ran ran = run_text(kDifferentWays, setup(lanes, kWarps));
    ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
    const std::vector<std::uint64_t> o = ran.buffer("o");
    for (unsigned w = 0; w < kWarps; ++w) {
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const bool low = lane < lanes / 2;
        const std::uint64_t a_round =
            (w % 2 == 1 ? 10000U : 100U) + (w % 4 == 3 && low ? 0U : 1000000U) + (low ? 100000000U : 3U);
        EXPECT_EQ(o[w * lanes + lane], w + (1 + w % 5) * a_round + 7) << lanes << " lanes, warp " << w << ", " << lane;
      }
    }
    expect_alike(ran, watched(kDifferentWays, setup(lanes, kWarps)));
  }
}

TEST(RunAhead, PartialWarpsToo) {
  expect_alike(run_text(kDifferentWays, setup(8, kWarps, 3)), watched(kDifferentWays, setup(8, kWarps, 3)));
}

TEST(RunAhead, EveryCycleLimitStopsTheSameWarpAtTheSamePlace) {
  RunSetup s = setup(4, kWarps);
  const std::uint64_t needed = run_text(kDifferentWays, s).result.cycles;
  ASSERT_GT(needed, 30U);
  for (s.max_cycles = 1; s.max_cycles <= needed; ++s.max_cycles) {
    SCOPED_TRACE(s.max_cycles);
    const Ran plain = run_text(kDifferentWays, s);
    EXPECT_EQ(plain.result.ok, s.max_cycles == needed);
    expect_alike(plain, watched(kDifferentWays, s));
  }
}

TEST(RunAhead, WhatRanAheadOfAFaultDoesNotCount) {
  for (unsigned inputs = 0; inputs < kWarps; ++inputs) {
    SCOPED_TRACE(inputs);
    const Ran plain = run_text(kDifferentWays, setup(4, inputs));
    EXPECT_EQ(plain.result.trap.kind, TrapKind::OutOfBounds);
    expect_alike(plain, watched(kDifferentWays, setup(4, inputs)));
  }
}

// Blocks that wait begin where others have ended, which no warp may run ahead of where it can be seen.
TEST(RunAhead, BlocksThatWaitBeginAtTheSameCycles) {
  for (std::uint64_t resident = 1; resident <= 3; ++resident) {
    RunSetup s = setup(4, kWarps);
    s.resident_blocks = resident;
    const Ran whole = run_text(kDifferentWays, s);
    ASSERT_TRUE(whole.result.ok);
    EXPECT_EQ(whole.buffer("o"), run_text(kDifferentWays, setup(4, kWarps)).buffer("o"));
    for (s.max_cycles = 1; s.max_cycles <= whole.result.cycles; s.max_cycles += 3) {
      SCOPED_TRACE(std::to_string(resident) + " resident, " + std::to_string(s.max_cycles) + " cycles");
      expect_alike(run_text(kDifferentWays, s), watched(kDifferentWays, s));
    }
    for (unsigned inputs = 0; inputs < kWarps; ++inputs) {
      SCOPED_TRACE(std::to_string(resident) + " resident, " + std::to_string(inputs) + " inputs");
      RunSetup few = setup(4, inputs);
      few.resident_blocks = resident;
      expect_alike(run_text(kDifferentWays, few), watched(kDifferentWays, few));
    }
  }
}

// The warps of a block leave a barrier in the cycle after the last one came, and not before it can their instructions
// count: whichever other warp then fails.
TEST(RunAhead, WarpsThatABarrierHeldBackHaveNotIssuedMeanwhile) {
  const std::string text = R"(.kernel k (in a: u32[], out o: u32[])
    mad.lo.u32 %n, %warpid, 3, 1
    setp.ne.u32 %waits, %ctaid.x, 0
    @!%waits mad.lo.u32 %n, %warpid, 2, 4
again: sub.u32 %n, %n, 1
    setp.ne.u32 %more, %n, 0
    @%more bra again
    @!%waits bra loads
    bar.sync 0
    add.u32 %n, %n, 5
    add.u32 %n, %n, 5
    exit
loads: ld.global.u32 %c, a[%warpid]
    exit
)";
  for (unsigned inputs = 0; inputs < kWarpsPerBlock; ++inputs) {
    SCOPED_TRACE(inputs);
    expect_alike(run_text(text, setup(4, inputs)), watched(text, setup(4, inputs)));
  }
}

}  // namespace run_ahead_test
}  // namespace warpsim
