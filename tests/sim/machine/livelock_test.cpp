// Runs that loop for ever: found because the whole state repeats, and distinguished from those that only take long.
//
// Units:  cycles; states are kept at 256, 512, 1024 …
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/machine/livelock.h"
#include "tests/support/run.h"
#include "tests/support/spin_lock.h"

namespace warpsim {
namespace {

using testing::kSpinLock;
using testing::Ran;
using testing::run_text;
using testing::RunSetup;
using Words = std::vector<std::uint64_t>;

// Somebody must watch: an unwatched run ends at the cycle limit.
Ran watched(const std::string& text, RunSetup setup) {
  static EventSink sink;
  setup.sinks = {&sink};
  return run_text(text, setup);
}

std::string place_of(const Trap& trap, unsigned lane, std::uint32_t warp = 0) {
  for (const LanePlace& place : trap.places)
    if (place.warp == warp && has_lane(place.lanes, lane)) return english(place.waits_for);
  return "nowhere";
}

TEST(Livelock, ASpinLockInsideAWarp) {
  const Ran ran = watched(kSpinLock, {.lanes = 8, .buffers = {{"lock", {0}}, {"sum", {0}}}});
  ASSERT_FALSE(ran.result.ok);
  const Trap& trap = ran.result.trap;
  EXPECT_EQ(name(trap.kind), "livelock");
  EXPECT_EQ(code(trap.code), "WS0704");
  EXPECT_EQ(trap.lanes, 0xfeU);
  EXPECT_EQ(english(trap.message), "loops for ever: cycle 262 finds everything as cycle 259 did");
  EXPECT_NE(english(trap.hint).find("--reconvergence independent"), std::string::npos);
  EXPECT_EQ(place_of(trap, 3), "loops over lines 2 to 4");
  EXPECT_EQ(place_of(trap, 0), "waits to converge with lanes 1-7 here");
  EXPECT_EQ(ran.result.cycles, 261U) << "no later than it is known: 256, and two rounds of three";
  EXPECT_EQ(ran.result.instructions, 261U);
  EXPECT_TRUE(
      watched(kSpinLock,
              {.lanes = 8, .buffers = {{"lock", {0}}, {"sum", {0}}}, .reconvergence = Reconvergence::Independent})
          .result.ok);
}

// What need not be reported runs ahead, so that states are compared now and then alone: from cycle 1024 on.
TEST(Livelock, IsSeenWhereOneInstructionAloneIsReported) {
  struct First : EventSink {
    bool watches(std::int32_t pc) const override { return pc == 0; }
  } sink;
  RunSetup setup{.lanes = 8, .max_cycles = 50'000, .buffers = {{"lock", {0}}, {"sum", {0}}}};
  setup.sinks = {&sink};
  const Ran ran = run_text(kSpinLock, setup);
  EXPECT_EQ(ran.result.trap.kind, TrapKind::Livelock);
  EXPECT_LT(ran.result.cycles, 1100U);
}

// The other path of the branch is ready but never issues; with independent groups it does.
TEST(Livelock, AFlagThatNoLaneCanSet) {
  const std::string text = R"(.kernel k (inout flag: u32[1])
    setp.eq.u32 %first, %laneid, 0
    @%first bra set
spin: ld.global.u32 %v, flag[0]
    setp.eq.u32 %busy, %v, 0
    @%busy bra spin
    exit
set: st.global.u32 flag[0], 1
    exit
)";
  const Ran ran = watched(text, {.lanes = 4, .buffers = {{"flag", {0}}}});
  EXPECT_EQ(ran.result.trap.kind, TrapKind::Livelock);
  EXPECT_EQ(place_of(ran.result.trap, 0), "never has its turn");
  EXPECT_EQ(place_of(ran.result.trap, 1), "loops over lines 4 to 6");
  EXPECT_NE(english(ran.result.trap.hint).find("--reconvergence independent"), std::string::npos);
}

// Warp 0 waits for a flag that warp 1, which is at a barrier, would set after it.
TEST(Livelock, AcrossWarps) {
  const std::string text = R"(.kernel k (inout flag: u32[1])
    setp.ge.u32 %second, %tid.x, 4
    @%second bra other
spin: ld.global.u32 %v, flag[0]
    setp.eq.u32 %busy, %v, 0
    @%busy bra spin
    bar.sync 0
    exit
other: bar.sync 0
    st.global.u32 flag[0], 1
    exit
)";
  for (const Reconvergence mode : {Reconvergence::Stack, Reconvergence::Independent}) {
    const Ran ran = watched(text, {.lanes = 4, .block = {8, 1, 1}, .buffers = {{"flag", {0}}}, .reconvergence = mode});
    const Trap& trap = ran.result.trap;
    ASSERT_EQ(trap.kind, TrapKind::Livelock);
    EXPECT_EQ(trap.warp, 0U);
    EXPECT_EQ(place_of(trap, 0, 0), "loops over lines 4 to 6");
    EXPECT_EQ(place_of(trap, 0, 1), "waits at barrier 0: 4 threads of 8 there");
    EXPECT_EQ(english(trap.hint).substr(0, 31), "what it reads in memory never c");
  }
}

// A cycle of states that is long, of several warps out of step, and that begins late.
TEST(Livelock, ALongRoundThatBeginsLate) {
  const std::string text = R"(.kernel k ()
    mov.u32 %n, 0
begin: add.u32 %n, %n, 1
    setp.lt.u32 %more, %n, 3000
    @%more bra begin
    mad.lo.u32 %top, %warpid, 2, 10
again: mov.u32 %n, 0
inner: add.u32 %n, %n, 1
    setp.lt.u32 %more, %n, %top
    @%more bra inner
    bra again
)";
  const Ran ran = watched(text, {.lanes = 4, .block = {12, 1, 1}, .max_cycles = 100'000});
  ASSERT_EQ(ran.result.trap.kind, TrapKind::Livelock);
  // Rounds of 2 + 3 top = 32, 38 and 44 cycles: together 32 · 19 · 11.
  const std::string message = english(ran.result.trap.message);
  const std::uint64_t to = std::stoull(message.substr(message.find("cycle ") + 6));
  const std::uint64_t from = std::stoull(message.substr(message.find("as cycle ") + 9));
  EXPECT_EQ(to - from, 32U * 19U * 11U) << message;
  EXPECT_EQ(place_of(ran.result.trap, 0, 2), "loops over lines 7 to 11");
  EXPECT_EQ(english(ran.result.trap.hint),
            "nothing that the loop tests ever changes: is its exit condition ever true?");
}

TEST(Livelock, ALoopOnOneLine) {
  const Ran ran = watched(".kernel k ()\nself: bra self\n", {.lanes = 4});
  EXPECT_EQ(ran.result.trap.kind, TrapKind::Livelock);
  EXPECT_EQ(place_of(ran.result.trap, 2), "loops over line 2");
  EXPECT_EQ(watched(".kernel k ()\nself: bra self\n", {.lanes = 4, .max_cycles = 256}).result.trap.kind,
            TrapKind::CycleLimit);
}

// Something changes in every iteration: a register, a word of memory, of shared memory.
TEST(Livelock, ProgressIsNoLivelock) {
  for (const std::string step :
       {"add.u32 %n, %n, 1", "atom.global.add.u32 %old, count[0], 1", "atom.shared.add.u32 %old, tile[0], 1"}) {
    const std::string text = ".kernel k (inout count: u32[1])\n.shared u32 tile[4]\nmov.u32 %n, 0\nagain: " + step +
                             "\nmov.u32 %old, 0\nbra again\n";
    const Ran ran = watched(text, {.lanes = 1, .max_cycles = 20'000, .buffers = {{"count", {0}}}});
    EXPECT_EQ(ran.result.trap.kind, TrapKind::CycleLimit) << step;
  }
}

// A warp that spins until another one has worked for long.
TEST(Livelock, WaitingForAWarpThatGetsOnIsNone) {
  const std::string text = R"(.kernel k (inout flag: u32[1])
    setp.ge.u32 %second, %tid.x, 4
    @%second bra work
spin: ld.global.u32 %v, flag[0]
    setp.eq.u32 %busy, %v, 0
    @%busy bra spin
    exit
work: mov.u32 %n, 0
more: add.u32 %n, %n, 1
    setp.lt.u32 %left, %n, 5000
    @%left bra more
    st.global.u32 flag[0], 1
    exit
)";
  const Ran ran = watched(text, {.lanes = 4, .block = {8, 1, 1}, .buffers = {{"flag", {0}}}});
  EXPECT_TRUE(ran.result.ok) << english(ran.result.trap.message);
}

TEST(Livelock, ALargeStateAndAFuzzedScheduleAreNotWatched) {
  const std::string text = ".kernel k (inout much: u32[])\nself: bra self\n";
  const RunSetup few{.lanes = 4, .max_cycles = 3000, .buffers = {{"much", Words(100)}}};
  EXPECT_EQ(watched(text, few).result.trap.kind, TrapKind::Livelock);
  RunSetup fuzzed = few;
  fuzzed.schedule = fuzz_schedule(1);
  EXPECT_EQ(watched(text, fuzzed).result.trap.kind, TrapKind::CycleLimit);
  RunSetup much = few;
  much.buffers["much"] = Words(kMostStateBytes / 4);
  EXPECT_EQ(watched(text, much).result.trap.kind, TrapKind::CycleLimit);
}

}  // namespace
}  // namespace warpsim
