// Runs in which nothing can ever run again, and what kind of mistake that is: codes, whose lanes, where the others are.
//
// Source: isa/table/findings.def.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/run.h"

namespace warpsim {
namespace {

using testing::Ran;
using testing::run_text;
using testing::RunSetup;

struct Stuck {
  const char* body;
  Finding code;
  TrapKind kind;
  LaneMask lanes;
  const char* message;
};

constexpr const char* kLow = ".kernel k ()\n    setp.lt.u32 %low, %laneid, 4\n";  // lines 1 and 2

void expect_stuck(const Stuck& expected, RunSetup setup) {
  for (const Reconvergence mode : {Reconvergence::Stack, Reconvergence::Independent}) {
    setup.reconvergence = mode;
    SCOPED_TRACE(std::string(name(mode)) + "\n" + expected.body);
    const Ran ran = run_text(std::string(kLow) + expected.body, setup);
    ASSERT_NE(ran.machine, nullptr);
    ASSERT_FALSE(ran.result.ok);
    const Trap& trap = ran.result.trap;
    EXPECT_EQ(code(trap.code), code(expected.code)) << trap.message;
    EXPECT_EQ(name(trap.kind), name(expected.kind));
    EXPECT_EQ(trap.lanes, expected.lanes);
    EXPECT_EQ(trap.message, expected.message);
  }
}

TEST(Deadlock, ABarrierThatSomeLanesOfAWarpPass) {
  const RunSetup setup{.lanes = 8};
  expect_stuck({"@%low bra on\nbar.sync 0\non: bar.sync 1\nexit\n", Finding::DivergentBarrier, TrapKind::Deadlock, 0xf0,
                "lanes 4-7 wait at line 4 (bar), lanes 0-3 of the warp went past it, to line 5 (bar)"},
               {.lanes = 8, .block = {16, 1, 1}});
  // One barrier in each path of a branch.
  expect_stuck({"@%low bra on\nbar.sync 1\nexit\non: bar.sync 2\nexit\n", Finding::DivergentBarrier, TrapKind::Deadlock,
                0xf0, "lanes 4-7 wait at line 4 (bar), lanes 0-3 of the warp went past it, to line 6 (bar)"},
               setup);
  expect_stuck({"@%low bra on\nbra off\non: bar.sync 1\noff: shfl.idx.b32 %v, %laneid, 0\nexit\n",
                Finding::DivergentBarrier, TrapKind::Deadlock, 0x0f,
                "lanes 0-3 wait at line 5 (bar), lanes 4-7 of the warp went past it, to line 6 (shfl.idx)"},
               setup);
}

TEST(Deadlock, ACountThatFitsNoWarps) {
  expect_stuck({"bar.sync 0, 12\nexit\n", Finding::BarrierCount, TrapKind::Deadlock, 0xff,
                "the barrier of line 3 (bar) counts 12 threads, which is no multiple of the warp's 8 lanes"},
               {.lanes = 8});
  expect_stuck({"bar.sync 0, 32\nexit\n", Finding::BarrierCount, TrapKind::Deadlock, 0xff,
                "the barrier of line 3 (bar) counts 32 threads, the block has only 16"},
               {.lanes = 8, .block = {16, 1, 1}});
}

TEST(Deadlock, ACountThatExitedWarpsStarve) {
  expect_stuck({"setp.ge.u32 %gone, %tid.x, 16\n@%gone exit\nbar.sync 0, 24\nexit\n", Finding::BarrierStarved,
                TrapKind::Deadlock, 0xff,
                "the barrier of line 5 (bar) counts 24 threads, only 16 are left: the others have exited"},
               {.lanes = 8, .block = {24, 1, 1}});
}

TEST(Deadlock, ANamedLaneThatIsElsewhere) {
  const RunSetup setup{.lanes = 8};
  expect_stuck(
      {"@!%low bra on\nshfl.idx.b32 %v, %laneid, 0\non: bar.sync 0\nexit\n", Finding::NamedLaneNeverCame,
       TrapKind::Deadlock, 0x0f,
       "lanes 0-3 wait at line 4 (shfl.idx) for lanes 4-7 of the member mask, but lanes 4-7 are at line 5 (bar)"},
      setup);
  expect_stuck({"@!%low bra on\nbar.warp.sync 0x1f\nexit\non: bar.sync 0\nexit\n", Finding::NamedLaneNeverCame,
                TrapKind::Deadlock, 0x0f,
                "lanes 0-3 wait at line 4 (bar.warp) for lane 4 of the member mask, but lane 4 is at line 6 (bar)"},
               setup);
}

TEST(Deadlock, TwoShufflesForEachOther) {
  expect_stuck({"@%low bra on\nshfl.idx.b32 %v, %laneid, 0\nexit\non: shfl.idx.b32 %v, %laneid, 1\nexit\n",
                Finding::DifferentMasks, TrapKind::ShuffleMismatch, 0xff,
                "lanes 4-7 wait at line 4 (shfl.idx) and lanes 0-3 at line 6 (shfl.idx) for each other"},
               {.lanes = 8});
}

// Warps at different barriers: no warp has made a mistake that the others have not.
TEST(Deadlock, WarpsThatWaitForEachOther) {
  expect_stuck({"setp.lt.u32 %first, %tid.x, 8\n@%first bra on\nbar.sync 1\nexit\non: bar.sync 2\nexit\n",
                Finding::Deadlock, TrapKind::Deadlock, 0xff,
                "nothing can ever run again: 2 warps wait, the first in block 0, warp 0 at line 7 (bar)"},
               {.lanes = 8, .block = {16, 1, 1}});
}

// The warp whose own lanes have diverged is at fault, not the one that waits for it.
TEST(Deadlock, TheWarpAtFaultIsNamed) {
  const Ran ran = run_text(R"(.kernel k ()
    setp.eq.u32 %in, %tid.x, 9
    @!%in bra on
    bra off
on: bar.sync 0
off: exit
)",
                           {.lanes = 8, .block = {16, 1, 1}});
  ASSERT_FALSE(ran.result.ok);
  EXPECT_EQ(ran.result.trap.code, Finding::DivergentBarrier);
  EXPECT_EQ(ran.result.trap.warp, 1U);
  EXPECT_EQ(ran.result.trap.lanes, 0xfdU);
}

TEST(Deadlock, EveryTrapHasACode) {
  for (int k = 0; k <= static_cast<int>(TrapKind::Livelock); ++k) {
    const TrapKind kind = static_cast<TrapKind>(k);
    EXPECT_NE(name(kind), "");
    EXPECT_FALSE(info(finding_of(kind)).title.empty());
    EXPECT_EQ(finding_of(kind) == Finding::Deadlock, kind == TrapKind::Deadlock);
  }
  const Ran out =
      run_text(".kernel k (out o: u32[])\nst.global.u32 o[%laneid], 1\nexit\n", {.lanes = 4, .buffers = {{"o", {0}}}});
  EXPECT_EQ(code(out.result.trap.code), "WS0601");
}

}  // namespace
}  // namespace warpsim
