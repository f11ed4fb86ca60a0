// How diverged lanes continue: they wait to reconverge, or each group issues in turn.
//
// Source: CUDA C++ Programming Guide, "SIMT Architecture" (independent thread scheduling): every lane gets on, lanes
//         that wait for each other in memory included.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sim/machine/divergence.h"
#include "tests/support/every_run.h"
#include "tests/support/record_text.h"
#include "tests/support/spin_lock.h"

namespace warpsim {
namespace {

using testing::kSpinLock;
using testing::LongestWait;
using testing::Ran;
using testing::run_text;
using testing::RunSetup;
using Words = std::vector<std::uint64_t>;

// As testing::kSpinLock, after a branch whose other path spins first: the lane that would set the flag never issues.
constexpr const char* kFlag = R"(.kernel k (inout flag: u32[1], out seen: u32[])
    setp.eq.u32 %first, %laneid, 0
    @%first bra set
spin: ld.global.u32 %v, flag[0]
    setp.eq.u32 %busy, %v, 0
    @%busy bra spin
    st.global.u32 seen[%laneid], %v
    exit
set: mov.u32 %v, 1
    add.u32 %v, %v, 2
    mul.lo.u32 %v, %v, 3
    sub.u32 %v, %v, 2
    st.global.u32 flag[0], %v
    st.global.u32 seen[%laneid], %v
    exit
)";

RunSetup with(Reconvergence mode, unsigned lanes, std::map<std::string, Words> buffers) {
  return {.lanes = lanes, .max_cycles = 20'000, .buffers = std::move(buffers), .reconvergence = mode};
}

TEST(Reconvergence, ASpinLockInsideAWarpEndsWhereEachLaneGetsItsTurn) {
  for (const unsigned lanes : {2U, 8U, 32U, 64U}) {
    const std::map<std::string, Words> buffers = {{"lock", {0}}, {"sum", {0}}};
    const Ran stack = run_text(kSpinLock, with(Reconvergence::Stack, lanes, buffers));
    EXPECT_FALSE(stack.result.ok);
    EXPECT_EQ(stack.result.trap.kind, TrapKind::CycleLimit);
    const Ran independent = run_text(kSpinLock, with(Reconvergence::Independent, lanes, buffers));
    ASSERT_TRUE(independent.result.ok) << english(independent.result.trap.message);
    EXPECT_EQ(independent.buffer("sum")[0], lanes) << "nobody was in it together with another";
  }
}

TEST(Reconvergence, AFlagThatALaneOfTheSameWarpSets) {
  const std::map<std::string, Words> buffers = {{"flag", {0}}, {"seen", Words(8)}};
  EXPECT_FALSE(run_text(kFlag, with(Reconvergence::Stack, 8, buffers)).result.ok);
  const Ran independent = run_text(kFlag, with(Reconvergence::Independent, 8, buffers));
  ASSERT_TRUE(independent.result.ok) << english(independent.result.trap.message);
  EXPECT_EQ(independent.buffer("seen"), Words(8, 7));
}

// A group waits for at most kPatience issues of its warp, and one for each other group.
TEST(Reconvergence, NoGroupIsPassedOverForLong) {
  LongestWait longest;
  RunSetup setup = with(Reconvergence::Independent, 32, {{"lock", {0}}, {"sum", {0}}});
  setup.sinks = {&longest};
  ASSERT_TRUE(run_text(kSpinLock, setup).result.ok);
  EXPECT_GT(longest.longest, kPatience / 2);
  EXPECT_LE(longest.longest, kPatience + 32);
}

// Structured code reconverges at the same places, so each instruction after the branch is issued once.
TEST(Reconvergence, TheLowestPcFirstReconverges) {
  const std::string text = R"(.kernel k (out o: u32[])
    setp.lt.u32 %low, %laneid, 3
    mov.u32 %v, 1
    @%low bra less
    add.u32 %v, %v, 10
    bra both
less: add.u32 %v, %v, 100
    add.u32 %v, %v, 100
both: add.u32 %v, %v, 1000
    st.global.u32 o[%laneid], %v
    exit
)";
  const Trace trace = testing::record_text(text, with(Reconvergence::Independent, 8, {{"o", Words(8)}}));
  EXPECT_EQ(trace.head.reconvergence, Reconvergence::Independent);
  std::map<std::int32_t, int> issued;
  int met = 0;
  for (const TraceEvent& event : trace.events) {
    ++issued[event.pc];
    for (const TraceMask& mask : event.masks)
      if (mask.kind == TraceMask::Kind::Reconverge) {
        ++met;
        EXPECT_EQ(mask.taken, 0xffU);
        EXPECT_EQ(mask.target, 7);
      }
  }
  EXPECT_EQ(met, 1);
  for (const auto& [pc, times] : issued) EXPECT_EQ(times, 1) << "pc " << pc;
  EXPECT_EQ(trace.outcome.outputs.at(0).second.bits, (Words{1201, 1201, 1201, 1011, 1011, 1011, 1011, 1011}));
}

TEST(Reconvergence, GroupsJoinWhereTheyStandReadyTogether) {
  Divergence warp(0xff, Reconvergence::Independent);
  std::vector<Joined> joined;
  warp.diverge(0, 0x0f, 10, 20, joined);
  EXPECT_TRUE(warp.frames().empty());
  ASSERT_EQ(warp.groups().size(), 2U);
  EXPECT_EQ(warp.groups()[static_cast<std::size_t>(warp.next_ready())].pc, 1) << "the lowest";
  warp.move(warp.next_ready(), 12, joined);
  EXPECT_EQ(warp.groups()[static_cast<std::size_t>(warp.next_ready())].pc, 10);
  EXPECT_TRUE(joined.empty());
  // One that waits at a pc is not joined; nor one that a barrier has released and that has not passed it yet.
  warp.groups()[1].state = Group::State::WaitsForLanes;
  warp.move(0, 12, joined);
  EXPECT_EQ(warp.groups().size(), 2U);
  warp.groups()[1].state = Group::State::Ready;
  warp.groups()[1].released = true;
  warp.move(0, 12, joined);
  EXPECT_EQ(warp.groups().size(), 2U);
  warp.move(1, 13, joined);
  warp.move(0, 13, joined);
  ASSERT_EQ(warp.groups().size(), 1U);
  EXPECT_EQ(warp.groups()[0].lanes, 0xffU);
  EXPECT_TRUE(warp.whole());
  ASSERT_EQ(joined.size(), 1U);
  EXPECT_EQ(joined[0].pc, 13);
  warp.exit(0, 0xff, joined);
  EXPECT_TRUE(warp.finished());
}

// A member mask makes lanes converge in both modes; lanes may arrive at a barrier from different lines.
TEST(Reconvergence, LanesStillConvergeWhereTheyMust) {
  const std::string text = R"(.kernel k (out o: u32[])
    rem.u32 %n, %laneid, 3
    mul.lo.u32 %n, %n, 40
    add.u32 %n, %n, 1
again: sub.u32 %n, %n, 1
    setp.ne.u32 %more, %n, 0
    @%more bra again
    bar.warp.sync
    shfl.bfly.b32 %v, %laneid, 1
    bar.sync 0
    redux.add.u32 %v, %v
    st.global.u32 o[%laneid], %v
    exit
)";
  for (const Reconvergence mode : {Reconvergence::Stack, Reconvergence::Independent}) {
    const Ran ran = run_text(text, with(mode, 8, {{"o", Words(8)}}));
    ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
    EXPECT_EQ(ran.buffer("o"), Words(8, 28));
  }
}

// Lanes that have left the inner loop are at its ballot again, with the mask of the outer one, while others are still
// there with theirs: each mask makes its own lanes converge.
TEST(Reconvergence, LanesOfDifferentMasksPassOneInstructionEachWithTheirOwn) {
  const std::string text = R"(.kernel k (out o: u32[])
    mov.u32 %rounds, 3
    mov.u32 %sum, 0
outer: rem.u32 %n, %laneid, 5
    mov.mask %m, -1
inner: setp.eq.u32 %leave, %n, 0
    vote.ballot.mask %m, !%leave, %m
    @%leave bra next
    popc.mask %c, %m
    add.u32 %sum, %sum, %c
    sub.u32 %n, %n, 1
    bra inner
next: sub.u32 %rounds, %rounds, 1
    setp.ne.u32 %more, %rounds, 0
    @%more bra outer
    st.global.u32 o[%laneid], %sum
    exit
)";
  for (const unsigned lanes : {8U, 32U, 64U}) {
    Words expected(lanes);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      for (unsigned round = 1; round <= lane % 5; ++round)
        for (unsigned other = 0; other < lanes; ++other) expected[lane] += other % 5 >= round ? 3 : 0;
    }
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      RunSetup setup = with(Reconvergence::Independent, lanes, {{"o", Words(lanes)}});
      setup.schedule = seed != 0 ? fuzz_schedule(seed) : Schedule{};
      const Ran ran = run_text(text, setup);
      ASSERT_TRUE(ran.result.ok) << seed << ": " << english(ran.result.trap.message);
      EXPECT_EQ(ran.buffer("o"), expected) << lanes << " lanes, seed " << seed;
    }
  }
}

TEST(Reconvergence, EveryProgramGivesTheSameOutputs) {
  const int launches = testing::for_each_launch({4, 8, 32}, [](const Program& program, const PreparedCase& prepared) {
    LaunchConfig config = prepared.config;
    testing::Outputs stack = testing::outputs_of(program, config, prepared.arguments);
    EXPECT_TRUE(stack.result.ok);
    config.reconvergence = Reconvergence::Independent;
    testing::Outputs independent = testing::outputs_of(program, config, prepared.arguments);
    EXPECT_TRUE(independent.result.ok) << english(independent.result.trap.message);
    testing::sort_unordered(program, stack);
    testing::sort_unordered(program, independent);
    EXPECT_TRUE(stack.arrays == independent.arrays);
  });
  EXPECT_GT(launches, 900);
}

// Watched or not, it is the same run.
TEST(Reconvergence, RunningAheadChangesNothing) {
  testing::for_each_launch({8}, [](const Program& program, const PreparedCase& prepared) {
    LaunchConfig config = prepared.config;
    config.reconvergence = Reconvergence::Independent;
    EventSink sink;
    const testing::Outputs plain = testing::outputs_of(program, config, prepared.arguments);
    const testing::Outputs watched = testing::outputs_of(program, config, prepared.arguments, {&sink});
    EXPECT_EQ(plain.result.cycles, watched.result.cycles);
    EXPECT_EQ(plain.result.instructions, watched.result.instructions);
    EXPECT_TRUE(plain.arrays == watched.arrays);
  });
}

}  // namespace
}  // namespace warpsim
