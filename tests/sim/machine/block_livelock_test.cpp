// Schedule `blocks`: runs that loop for ever are found, without a limit of cycles and whoever watches.
//
// Units:  cycles are issues of the whole machine.
// Source: sim/README.md, "Livelock".
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/block_runs.h"
#include "tests/support/spin_lock.h"

namespace warpsim {
namespace block_livelock_test {

using testing::in_blocks;
using testing::kSpinLock;
using testing::Ran;
using testing::run_each_way;
using testing::RunSetup;
using Words = std::vector<std::uint64_t>;

TEST(BlockLivelock, ALoopThatNeverEndsIsFoundWithoutALimit) {
  RunSetup setup = in_blocks({.lanes = 4, .block = {12, 1, 1}, .max_cycles = kNoCycleLimit});
  const Ran self = run_each_way(".kernel k ()\nself: bra self\n", setup);
  EXPECT_EQ(self.result.trap.kind, TrapKind::Livelock);
  EXPECT_EQ(self.result.trap.cycle - 1, self.result.cycles);
  EXPECT_EQ(english(self.result.trap.message),
            "loops for ever: since cycle 16385 no memory changes, and each warp that runs goes through the same states "
            "again")
      << "after 16,384 issues, the first time that is looked for";
  // Rounds of 22, 30 and 38 issues: no number of them fits into a turn, and together they take 38 million.
  const std::string rounds = R"(.kernel k (inout n: u32[1])
    mad.lo.u32 %top, %warpid, 2, 5
again: mov.u32 %n, 0
inner: add.u32 %n, %n, 1
    atom.global.exch.b32 %old, n[0], 7
    setp.lt.u32 %more, %n, %top
    @%more bra inner
    bra again
)";
  setup.buffers = {{"n", {7}}};
  const Ran ran = run_each_way(rounds, setup);
  EXPECT_EQ(ran.result.trap.kind, TrapKind::Livelock);
  EXPECT_LT(ran.result.cycles, 50'000U);
  EXPECT_EQ(english(ran.result.trap.places.at(1).waits_for), "loops over lines 3 to 8");
}

// Memory is too large for copies of it.
TEST(BlockLivelock, AFlagThatNobodySetsIsFoundInABigMemory) {
  const std::string text = R"(.kernel k (inout flag: u32[])
    setp.eq.u32 %first, %tid.x, 0
    @%first bar.sync 0
wait: ld.global.u32 %f, flag[0]
    setp.eq.u32 %unset, %f, 0
    SLEEP
    @%unset bra wait
    exit
)";
  for (const std::string sleep : {"nanosleep 20", "mov.u32 %g, %f"}) {
    std::string with = text;
    with.replace(with.find("SLEEP"), 5, sleep);
    RunSetup setup = in_blocks({.lanes = 1, .grid = {90, 1, 1}, .block = {3, 1, 1}, .max_cycles = kNoCycleLimit});
    setup.buffers = {{"flag", Words(5 << 20)}};
    const Ran ran = run_each_way(with, setup);
    EXPECT_EQ(ran.result.trap.kind, TrapKind::Livelock);
    EXPECT_EQ(english(ran.result.trap.message).substr(0, 26), "loops for ever: since cycl");
    EXPECT_EQ(english(ran.result.trap.places.at(0).waits_for), "waits at barrier 0: 1 thread of 3 there");
    EXPECT_EQ(english(ran.result.trap.places.at(1).waits_for), "loops over lines 4 to 7");
    EXPECT_LT(ran.result.cycles, 2'500'000U);
  }
}

// Memory changes all the time: only the whole state shows it.
TEST(BlockLivelock, LocksThatAreTakenAndReleasedForEverAreFound) {
  const std::string text = R"(.kernel k (inout lock: u32[1])
again: atom.global.exch.b32 %old, lock[0], 1
    atom.global.exch.b32 %old, lock[0], 0
    bra again
)";
  const Ran ran = run_each_way(text, in_blocks({.lanes = 2,
                                                .grid = {2, 1, 1},
                                                .block = {4, 1, 1},
                                                .max_cycles = kNoCycleLimit,
                                                .buffers = {{"lock", {0}}}}));
  EXPECT_EQ(ran.result.trap.kind, TrapKind::Livelock);
  EXPECT_NE(english(ran.result.trap.message).find("finds everything as cycle"), std::string::npos);
  EXPECT_EQ(ran.result.trap.places.size(), 4U);
  for (const LanePlace& place : ran.result.trap.places) EXPECT_EQ(english(place.waits_for), "loops over lines 2 to 4");
}

// The row of the clock is one of the warp's registers: no state in which it was read comes again.
TEST(BlockLivelock, WhoWaitsForATimeDoesNotLoopForEver) {
  const std::string text = R"(.kernel k ()
wait: mov.u32 %t, %clock
    setp.lt.u32 %early, %t, 90000
    mov.u32 %t, 0
    @%early bra wait
    exit
)";
  RunSetup setup = in_blocks({.lanes = 1, .max_cycles = kNoCycleLimit});
  for (const Schedule& schedule : {kBlocksSchedule, Schedule{}}) {
    setup.schedule = schedule;
    EXPECT_TRUE(run_each_way(text, setup).result.ok);
  }
}

// Warp 1 sets the flag only after a long time in which nothing in memory changes.
TEST(BlockLivelock, WhoWaitsForALongTimeDoesNotLoopForEver) {
  const std::string text = R"(.kernel k (inout flag: u32[1])
    mov.u32 %n, 0
    setp.ne.u32 %other, %tid.x, 0
    @%other bra work
wait: ld.global.u32 %f, flag[0]
    setp.eq.u32 %unset, %f, 0
    @%unset bra wait
    exit
work: add.u32 %n, %n, 1
    setp.lt.u32 %more, %n, 500000
    @%more bra work
    st.global.u32 flag[0], 1
    exit
)";
  RunSetup setup = in_blocks({.lanes = 1, .block = {2, 1, 1}, .max_cycles = kNoCycleLimit, .buffers = {{"flag", {0}}}});
  EXPECT_TRUE(run_each_way(text, setup).result.ok);
}

TEST(BlockLivelock, ALockThatIsNeverReleasedIsFound) {
  const RunSetup setup = {.lanes = 8, .max_cycles = kNoCycleLimit, .buffers = {{"lock", {0}}, {"sum", {0}}}};
  const Ran stack = run_each_way(kSpinLock, in_blocks(setup, Reconvergence::Stack));
  EXPECT_EQ(stack.result.trap.kind, TrapKind::Livelock);
  EXPECT_EQ(stack.result.trap.lanes, 0xfeU);
  EXPECT_NE(english(stack.result.trap.hint).find("--reconvergence independent"), std::string::npos);
  RunSetup taken = in_blocks(setup);
  taken.block = {24, 1, 1};
  taken.buffers = {{"lock", {1}}, {"sum", {0}}};
  EXPECT_EQ(run_each_way(kSpinLock, taken).result.trap.kind, TrapKind::Livelock);
}

// Two groups of a warp wait for each other's flag, one of them asleep in between.
TEST(BlockLivelock, GroupsOfAWarpThatSpinForEverAreFound) {
  const std::string text = R"(.kernel k (in flag: u32[2])
    setp.eq.u32 %first, %laneid, 0
    @%first bra other
a:  ld.global.u32 %v, flag[0]
    setp.eq.u32 %busy, %v, 0
    @%busy bra a
    exit
other: ld.global.u32 %v, flag[1]
    setp.eq.u32 %busy, %v, 0
    @%busy SLEEP
    @%busy bra other
    exit
)";
  for (const std::string sleep : {"nanosleep 20", "mov.u32 %v, 0"}) {
    std::string with = text;
    with.replace(with.find("SLEEP"), 5, sleep);
    const RunSetup setup =
        in_blocks({.lanes = 4, .block = {8, 1, 1}, .max_cycles = 50'000'000, .buffers = {{"flag", {0, 0}}}});
    EXPECT_EQ(run_each_way(with, setup).result.trap.kind, TrapKind::Livelock) << sleep;
  }
}

TEST(BlockLivelock, ADeadlockIsFound) {
  const std::string text = R"(.kernel k ()
    setp.eq.u32 %first, %tid.x, 0
    @%first bar.sync 1
    bar.sync 0
    exit
)";
  const Ran ran = run_each_way(text, in_blocks({.lanes = 1, .block = {3, 1, 1}}));
  EXPECT_EQ(ran.result.trap.kind, TrapKind::Deadlock);
}

}  // namespace block_livelock_test
}  // namespace warpsim
