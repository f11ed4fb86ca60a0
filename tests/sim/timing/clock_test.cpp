// When instructions issue in a timed run. The expected cycles follow by hand from the numbers of small_profile.h.
#include "sim/timing/clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/every_run.h"
#include "tests/support/run.h"
#include "tests/support/small_profile.h"

namespace warpsim {
namespace {

using testing::Ran;
using testing::run_text;
using testing::RunSetup;
using testing::small_profile;
using Cycles = std::vector<std::uint64_t>;

struct Issues : EventSink {
  struct One {
    std::uint64_t cycle;
    std::uint32_t block, warp;
    std::int32_t pc;
    std::vector<Stall> stalls;
  };
  std::vector<One> all;
  void on_issue(const IssueEvent& e) override {
    all.push_back({e.cycle, e.block, e.warp, e.pc, {e.stalls.begin(), e.stalls.end()}});
  }
  Cycles cycles(std::uint32_t warp = 0, std::uint32_t block = 0) const {
    Cycles found;
    for (const One& one : all)
      if (one.warp == warp && one.block == block) found.push_back(one.cycle);
    return found;
  }
  // Of the n-th instruction that warp 0 of block 0 issues.
  std::vector<Stall> stalls(std::size_t n) const {
    for (const One& one : all)
      if (one.warp == 0 && one.block == 0 && n-- == 0) return one.stalls;
    return {};
  }
};

struct Timed {
  Ran ran;
  Issues issues;
};

Timed time(const std::string& body, const TimingProfile& profile, RunSetup setup = {}) {
  Timed timed;
  setup.timing = std::make_shared<TimingProfile>(profile);
  setup.sinks = {&timed.issues};
  if (setup.buffers.empty()) setup.buffers["o"] = std::vector<std::uint64_t>(64);
  timed.ran = run_text(".kernel k (inout o: u32[])\n.shared u32 s[1024]\n" + body + "\n exit\n", setup);
  return timed;
}
Cycles cycles(const std::string& body, RunSetup setup = {}) {
  const Timed timed = time(body, small_profile(), std::move(setup));
  EXPECT_TRUE(timed.ran.result.ok) << english(timed.ran.result.trap.message);
  return timed.issues.cycles();
}

TEST(Clock, AnInstructionWaitsForItsOperands) {
  // alu to alu 4, to mul 6; mul to alu 5; a compare to a guard 9.
  EXPECT_EQ(cycles("mov.u32 %a, 1\n add.u32 %a, %a, 1\n add.u32 %a, %a, 1"), (Cycles{1, 5, 9, 10}));
  EXPECT_EQ(cycles("mov.u32 %a, 1\n mul.lo.u32 %b, %a, 3\n add.u32 %c, %b, 1"), (Cycles{1, 7, 12, 13}));
  EXPECT_EQ(cycles("mov.u32 %c, 1\n setp.eq.u32 %p, %laneid, 3\n @%p add.u32 %c, %c, 1"), (Cycles{1, 2, 11, 12}));
  EXPECT_EQ(cycles("mov.u32 %a, 1\n mov.u32 %b, 1\n mov.u32 %c, 1"), (Cycles{1, 2, 3, 4})) << "nothing to wait for";
  EXPECT_EQ(cycles("mov.u32 %a, 1\n mov.u32 %a, 2\n add.u32 %b, %a, 1"), (Cycles{1, 2, 6, 7}))
      << "what is not read is not waited for";
}

TEST(Clock, AGuardedInstructionKeepsWhatItDoesNotWrite) {
  // mul writes %a at 5 + 5; the guarded move needs it for the lanes that it leaves alone.
  EXPECT_EQ(cycles("mul.lo.u32 %a, %laneid, 3\n setp.eq.u32 %p, %laneid, 3\n mul.lo.u32 %a, %laneid, 5\n"
                   "@%p mov.u32 %a, 1"),
            (Cycles{1, 2, 3, 11, 12}));
}

TEST(Clock, AUnitTakesOneInstructionAnInterval) {
  EXPECT_EQ(cycles("mul.lo.u32 %a, %laneid, 3\n mul.lo.u32 %b, %laneid, 3\n mul.lo.u32 %c, %laneid, 3"),
            (Cycles{1, 3, 5, 6}));
  TimingProfile halves = small_profile();
  halves.classes[testing::kMul].interval = 1.5;
  const Timed timed = time(
      "mul.lo.u32 %a, %laneid, 3\n mul.lo.u32 %b, %laneid, 3\n mul.lo.u32 %c, %laneid, 3\n"
      "mul.lo.u32 %d, %laneid, 3\n mul.lo.u32 %e, %laneid, 3",
      halves);
  EXPECT_EQ(timed.issues.cycles(), (Cycles{1, 3, 4, 6, 7, 8})) << "at 1, 2.5, 4, 5.5 and 7";
}

TEST(Clock, OfTwoPipesTheFreeOneTakesIt) {
  TimingProfile profile = small_profile();
  profile.classes[testing::kAlu].interval = 2;
  const std::string three = "mov.u32 %a, 1\n mov.u32 %b, 1\n mov.u32 %c, 1\n mov.u32 %d, 1";
  EXPECT_EQ(time(three, profile).issues.cycles(), (Cycles{1, 3, 5, 7, 8}));
  profile.classes[testing::kAlu].pipes = {testing::kAluPipe, testing::kMulPipe};
  EXPECT_EQ(time(three, profile).issues.cycles(), (Cycles{1, 2, 3, 4, 5}));
}

TEST(Clock, WhatItWaitedForIsSaid) {
  const Timed timed = time(
      "mov.u32 %a, 1\n shfl.bfly.b32 %b, %a, 1\n add.u32 %c, %b, 1\n shfl.bfly.b32 %d, %a, 2\n"
      "shfl.bfly.b32 %e, %a, 4",
      small_profile());
  // mov 1; shfl 5; add 25; shfl 26; shfl 30, as the port is taken for 4 cycles.
  EXPECT_EQ(timed.issues.cycles(), (Cycles{1, 5, 25, 26, 30, 31}));
  const std::int32_t a = timed.ran.program->find_register("%a"), b = timed.ran.program->find_register("%b");
  using R = Stall::Reason;
  EXPECT_EQ(timed.issues.stalls(0), std::vector<Stall>{});
  EXPECT_EQ(timed.issues.stalls(1), (std::vector<Stall>{{R::Dependency, 3, a, 0, -1}}));
  EXPECT_EQ(timed.issues.stalls(2), (std::vector<Stall>{{R::Dependency, 19, b, 1, -1}}));
  EXPECT_EQ(timed.issues.stalls(3), std::vector<Stall>{});
  EXPECT_EQ(timed.issues.stalls(4), (std::vector<Stall>{{R::Unit, 3, -1, -1, testing::kPortPipe}}));
}

TEST(Clock, BankConflictsTakeAnAccessLonger) {
  const auto loads = [](const char* index) {
    return std::string("mul.lo.u32 %i, %laneid, ") + index + "\n ld.shared.u32 %a, s[%i]\n add.u32 %b, %a, 1\n";
  };
  // mul 1; load 6; 23 cycles and 2 for each further way.
  EXPECT_EQ(cycles(loads("1")), (Cycles{1, 6, 29, 30}));
  EXPECT_EQ(cycles(loads("2")), (Cycles{1, 6, 31, 32}));
  EXPECT_EQ(cycles(loads("32")), (Cycles{1, 6, 91, 92}));
  // A second load at once: the port is taken for 4 cycles, or 3 a way.
  const std::string two = "mul.lo.u32 %i, %laneid, 8\n ld.shared.u32 %a, s[%i]\n ld.shared.u32 %b, s[%i]\n";
  EXPECT_EQ(cycles(two), (Cycles{1, 6, 30, 31}));
}

TEST(Clock, GlobalMemoryIsNearerOnceItWasRead) {
  const std::string twice =
      "ld.global.u32 %a, o[%laneid]\n add.u32 %b, %a, 1\n ld.global.u32 %c, o[%laneid]\n"
      "add.u32 %d, %c, 1\n";
  // 600 from DRAM, then 30 from L1; the 32 lanes' 128 bytes are one line.
  EXPECT_EQ(cycles(twice), (Cycles{1, 601, 602, 632, 633}));
  // 32 lanes, 32 lines: 31 * 1.5 more. The small L1 holds 8 lines, so that L2 answers the second time.
  const std::string wide =
      "mul.lo.u32 %i, %laneid, 32\n ld.global.u32 %a, o[%i]\n add.u32 %b, %a, 1\n"
      "ld.global.u32 %c, o[%i]\n add.u32 %d, %c, 1\n";
  RunSetup setup;
  setup.buffers["o"] = std::vector<std::uint64_t>(1024);
  EXPECT_EQ(cycles(wide, setup), (Cycles{1, 6, 653, 654, 901, 902}));
  const Timed timed = time(twice, small_profile());
  EXPECT_EQ(timed.issues.stalls(1),
            (std::vector<Stall>{{Stall::Reason::Memory, 599, timed.ran.program->find_register("%a"), 0, -1}}));
}

TEST(Clock, ALineThatIsOnItsWayIsWaitedFor) {
  const std::string load = "ld.global.u32 %a, o[%laneid]\n add.u32 %b, %a, 1\n";
  RunSetup setup;
  setup.block = {64, 1, 1};
  const Timed two_warps = time(load, small_profile(), setup);
  EXPECT_EQ(two_warps.issues.cycles(0), (Cycles{1, 601, 602}));
  EXPECT_EQ(two_warps.issues.cycles(1), (Cycles{1, 601, 602})) << "the same line, in the same L1";
  setup.block = {32, 1, 1};
  setup.grid = {2, 1, 1};
  const Timed two_sms = time(load, small_profile(), setup);
  EXPECT_EQ(two_sms.issues.cycles(0, 1), (Cycles{1, 601, 602})) << "another L1, the same L2";
}

TEST(Clock, AnAccessKeepsItsUnitForEachLine) {
  TimingProfile profile = small_profile();
  profile.classes[testing::kMemory].interval_per_way = 2;
  RunSetup setup;
  setup.buffers["o"] = std::vector<std::uint64_t>(1024);
  const auto twice = [](const char* stride) {
    return std::string("mul.lo.u32 %i, %laneid, ") + stride + "\n ld.global.u32 %a, o[%i]\n ld.global.u32 %b, o[%i]\n";
  };
  // mul 1, load 6; one line takes the interval of 4, 32 lines take 2 each.
  EXPECT_EQ(time(twice("1"), profile, setup).issues.cycles(), (Cycles{1, 6, 10, 11}));
  EXPECT_EQ(time(twice("32"), profile, setup).issues.cycles(), (Cycles{1, 6, 70, 71}));
}

TEST(Clock, ThreeRegistersAreReadTwiceAfterAnotherWarp) {
  TimingProfile profile = small_profile();
  profile.sm.sub_cores = 1;
  profile.scheduler = Scheduler::Lrr;
  profile.classes[testing::kMul].interval = 1;
  profile.classes[testing::kMul].interval_of_three = 2;
  const std::string text =
      "mov.u32 %a, 1\n mov.u32 %b, 2\n mov.u32 %c, 3\n mad.lo.u32 %d, %a, %b, %c\n mad.lo.u32 %e, %a, %b, %c";
  EXPECT_EQ(time(text, profile).issues.cycles(), (Cycles{1, 2, 3, 9, 10, 11})) << "alone, it finds them kept";
  RunSetup setup;
  setup.block = {64, 1, 1};
  const Timed two = time(text, profile, setup);
  // Warp 1's first mad follows warp 0's last mov: two cycles. Its second finds the operands kept, so it goes first:
  // one.
  EXPECT_EQ(two.issues.cycles(1), (Cycles{1, 3, 5, 11, 13, 15}));
  EXPECT_EQ(two.issues.cycles(0), (Cycles{2, 4, 6, 14, 16, 17}));
  const Timed read = time(
      "mov.u32 %a, 1\n mov.u32 %b, 2\n mov.u32 %c, 3\n mad.lo.u32 %d, %a, %b, %c\n add.u32 %e, %d, 1", profile, setup);
  EXPECT_EQ(read.issues.cycles(1), (Cycles{1, 3, 5, 11, 17, 18})) << "and its result comes a cycle later: 11 + 5 + 1";
}

TEST(Clock, WhatACompilerCountsCountsFromTheInstructionBefore) {
  // mov 1; setp 2; shfl 5; add 25. The guard's 9 cycles were counted as if the shuffle took none: setp 2, shfl 5, add
  // 6,
  // 11. So the guarded add is 5 cycles after the other one, although %b would be there after 4 and %p is long there.
  const Timed timed = time(
      "mov.u32 %a, 1\n setp.eq.u32 %p, %laneid, 3\n shfl.bfly.b32 %d, %a, 1\n add.u32 %b, %d, 1\n"
      "@%p add.u32 %b, %b, 1",
      small_profile());
  EXPECT_EQ(timed.issues.cycles(), (Cycles{1, 2, 5, 25, 30, 31}));
  const std::int32_t p = timed.ran.program->find_register("%p");
  EXPECT_EQ(timed.issues.stalls(4), (std::vector<Stall>{{Stall::Reason::Dependency, 4, p, 1, -1}}));
}

TEST(Clock, BranchesTakeTheirTime) {
  // A branch issues for 5 cycles; taken by all lanes 7 more.
  EXPECT_EQ(cycles("bra l\n l: mov.u32 %a, 1"), (Cycles{1, 13, 14}));
  // setp 1; the guard 9 later; no lane takes it.
  EXPECT_EQ(cycles("setp.eq.u32 %p, %nctaid.x, 2\n @%p bra l\n mov.u32 %a, 1\n l: mov.u32 %b, 1"),
            (Cycles{1, 10, 15, 16, 17}));
  const Timed taken =
      time("setp.eq.u32 %p, %nctaid.x, 1\n @%p bra l\n mov.u32 %a, 1\n l: mov.u32 %b, 1", small_profile());
  EXPECT_EQ(taken.issues.cycles(), (Cycles{1, 10, 22, 23}));
  EXPECT_EQ(taken.issues.stalls(2),
            (std::vector<Stall>{{Stall::Reason::Issue, 4, -1, -1, -1}, {Stall::Reason::Branch, 7, -1, -1, -1}}));
}

TEST(Clock, LanesThatDivergeTakeTheirTimeToo) {
  const std::string both =
      "setp.eq.u32 %p, %laneid, 3\n @%p bra l\n mov.u32 %a, 1\n bra e\n"
      "l: mov.u32 %a, 2\n e: mov.u32 %b, 1";
  // setp 1, bra 10, + 5 + 11 for diverging: mov 26, bra 27, + 5 + 7 and 5 to the other path: mov 44, + 1 + 3 as all
  // converge.
  EXPECT_EQ(cycles(both), (Cycles{1, 10, 26, 27, 44, 48, 49}));
  // The same path for all: bra taken 10 + 5 + 7, mov 22, and 2 for the reconvergence that might have been.
  RunSetup one;
  one.lanes = 32;
  one.block = {1, 1, 1};
  EXPECT_EQ(
      cycles("setp.eq.u32 %p, %laneid, 0\n @%p bra l\n mov.u32 %a, 1\n bra e\n l: mov.u32 %a, 2\n e: mov.u32 %b, 1",
             one),
      (Cycles{1, 10, 22, 25, 26}));
}

TEST(Clock, ABarrierOpensAfterTheLastArrival) {
  const std::string text = "bar.sync 0\n mov.u32 %a, 1";
  // One warp: it arrives at 1 and continues 12 later.
  EXPECT_EQ(cycles(text), (Cycles{1, 13, 14}));
  RunSetup four;
  four.block = {128, 1, 1};
  // Of four warps on four sub-cores one arrives every two cycles, at 1, 3, 5 and 7: open at 19.
  const Timed timed = time(text, small_profile(), four);
  for (std::uint32_t w = 0; w < 4; ++w) EXPECT_EQ(timed.issues.cycles(w), (Cycles{1 + 2 * w, 19, 20})) << w;
  EXPECT_EQ(timed.issues.stalls(1), (std::vector<Stall>{{Stall::Reason::Barrier, 17, -1, 0, -1}}));
}

// Two sub-cores for which the SM's pipe takes one in four cycles take turns; neither starves.
TEST(Clock, ASmsPipeGoesToWhoHasWaitedLongest) {
  TimingProfile profile = small_profile();
  profile.classes[testing::kShuffle].sm_interval = 4;
  RunSetup two;
  two.block = {64, 1, 1};
  const Timed timed =
      time("shfl.bfly.b32 %a, %laneid, 1\n shfl.bfly.b32 %b, %laneid, 2\n shfl.bfly.b32 %c, %laneid, 3", profile, two);
  EXPECT_EQ(timed.issues.cycles(0), (Cycles{1, 9, 17, 18}));
  EXPECT_EQ(timed.issues.cycles(1), (Cycles{5, 13, 21, 22}));
}

// A barrier with a queue: warps arrive without waiting for its pipe, which takes two cycles for each of them.
TEST(Clock, ABarriersQueueIsWaitedForByWhatDoesNotPassIt) {
  TimingProfile profile = small_profile();
  profile.classes[testing::kBarrier].is_queued = true;
  profile.classes[testing::kMul].passes_barrier = true;
  profile.barrier.leave = 3;
  RunSetup four;
  four.block = {128, 1, 1};
  const std::string text = "mul.lo.u32 %b, %laneid, 5\n bar.sync 0\n mul.lo.u32 %a, %laneid, 3\n mov.u32 %a, %clock";
  // All arrive at 2, the queue is empty at 10: the multiplication leaves at 2 + 3, the rest 12 after 10.
  const Timed timed = time(text, profile, four);
  for (std::uint32_t w = 0; w < 4; ++w) EXPECT_EQ(timed.issues.cycles(w), (Cycles{1, 2, 5, 22, 23})) << w;
  // One that comes late holds back what passes, too.
  RunSetup two;
  two.block = {64, 1, 1};
  const Timed late = time(
      "setp.eq.u32 %p, %warpid, 1\n @!%p bra go\n mul.lo.u32 %b, %laneid, 5\n mul.lo.u32 %b, %b, 5\n mul.lo.u32 %b, "
      "%b, 5\n "
      "go: bar.sync 0\n mul.lo.u32 %a, %laneid, 3",
      profile, two);
  const std::uint64_t last_arrival = late.issues.cycles(1).at(5);
  EXPECT_LT(late.issues.cycles(0).at(2), last_arrival);
  EXPECT_EQ(late.issues.cycles(0).at(3), last_arrival + 3);
  EXPECT_EQ(late.issues.cycles(1).at(6), last_arrival + 3);
}

// Two warps of one sub-core with three independent instructions each, of a unit that takes one a cycle.
Cycles order(Scheduler scheduler, std::uint32_t warp) {
  TimingProfile profile = small_profile();
  profile.scheduler = scheduler;
  profile.sm.sub_cores = 1;
  RunSetup setup;
  setup.block = {96, 1, 1};
  return time("mov.u32 %a, 1\n mov.u32 %b, 2\n mov.u32 %c, 3", profile, setup).issues.cycles(warp);
}

TEST(Clock, SchedulersTakeTheirOwnWarp) {
  EXPECT_EQ(order(Scheduler::Gto, 0), (Cycles{1, 2, 3, 4})) << "keeps to the one that issued last";
  EXPECT_EQ(order(Scheduler::Gto, 1), (Cycles{5, 6, 7, 8}));
  EXPECT_EQ(order(Scheduler::Lrr, 0), (Cycles{3, 6, 9, 12})) << "takes turns, the youngest first";
  EXPECT_EQ(order(Scheduler::Lrr, 1), (Cycles{2, 5, 8, 11}));
  EXPECT_EQ(order(Scheduler::Oldest, 0), (Cycles{1, 2, 3, 4}));
}

TEST(Clock, GreedyAndOldestDifferWhenTheOlderOneIsReadyAgain) {
  // Warp 0 waits for its operand from 2 to 5; then oldest goes back to it at once, greedy stays with warp 1.
  const std::string text = "mov.u32 %a, 1\n add.u32 %b, %a, 1\n mov.u32 %c, 1\n mov.u32 %d, 1";
  TimingProfile profile = small_profile();
  profile.sm.sub_cores = 1;
  profile.classes[testing::kAlu].interval = 1;
  RunSetup setup;
  setup.block = {64, 1, 1};
  profile.scheduler = Scheduler::Oldest;
  // 0: 1, 5, 6, 7, 8. 1: 2, then 6 is taken by warp 0 until 8: 9, 10, 11, 12.
  EXPECT_EQ(time(text, profile, setup).issues.cycles(1), (Cycles{2, 9, 10, 11, 12}));
  profile.scheduler = Scheduler::Lrr;
  EXPECT_EQ(time(text, profile, setup).issues.cycles(1), (Cycles{1, 5, 7, 9, 11}));
}

TEST(Clock, SubCoresShareWhatTheSmHasOnce) {
  TimingProfile profile = small_profile();
  profile.classes[testing::kShuffle].sm_interval = 3;
  RunSetup setup;
  setup.block = {128, 1, 1};
  const Timed timed = time("shfl.bfly.b32 %a, %laneid, 1", profile, setup);
  EXPECT_EQ(timed.issues.cycles(0)[0], 1U);
  EXPECT_EQ(timed.issues.cycles(1)[0], 4U);
  EXPECT_EQ(timed.issues.cycles(2)[0], 7U);
  EXPECT_EQ(timed.issues.cycles(3)[0], 10U);
}

TEST(Clock, BlocksWaitForAnSmWithRoom) {
  TimingProfile profile = small_profile();
  profile.sm.sms = 2;
  profile.sm.max_blocks = 1;
  RunSetup setup;
  setup.grid = {5, 1, 1};
  const Timed timed = time("mov.u32 %a, 1\n mov.u32 %b, 1", profile, setup);
  for (const std::uint32_t block : {0U, 1U}) EXPECT_EQ(timed.issues.cycles(0, block), (Cycles{1, 2, 3}));
  for (const std::uint32_t block : {2U, 3U}) EXPECT_EQ(timed.issues.cycles(0, block), (Cycles{4, 5, 6}));
  EXPECT_EQ(timed.issues.cycles(0, 4), (Cycles{7, 8, 9}));
  EXPECT_EQ(timed.ran.machine->sub_core(3, 0), 5) << "SM 1, on its next sub-core";
  EXPECT_EQ(timed.ran.machine->sub_core(1, 0), -1) << "block 3 has its place";
}

TEST(Clock, WhatTakesNoSlotGoesWithTheNext) {
  TimingProfile profile = small_profile();
  profile.classes[testing::kAlu].issue = 0;
  profile.classes[testing::kAlu].latency.assign(testing::kSmallClasses, 0);
  profile.classes[testing::kAlu].latency[testing::kAlu] = 1;
  profile.classes[testing::kAlu].interval = 0;
  profile.classes[testing::kShuffle].latency.assign(testing::kSmallClasses, 1);
  profile.classes[testing::kShuffle].interval = 1;
  // mov beside the first shuffle; then one shuffle a cycle, each with its sum.
  EXPECT_EQ(time("mov.u32 %a, 1\n shfl.bfly.b32 %b, %a, 1\n add.u32 %a, %a, %b\n shfl.bfly.b32 %b, %a, 2\n"
                 "add.u32 %a, %a, %b",
                 profile)
                .issues.cycles(),
            (Cycles{1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(time("mov.u32 %a, 1\n add.u32 %a, %a, 1\n add.u32 %a, %a, 1", profile).issues.cycles(),
            (Cycles{1, 2, 3, 3}));
}

TEST(Clock, ProgramsCanReadIt) {
  const std::string text =
      "mov.u64 %t, %clock64\n mov.u32 %a, 1\n add.u32 %a, %a, 1\n add.u32 %a, %a, 1\n"
      "mov.u64 %u, %clock64\n sub.u64 %v, %u, %t\n cvt.u32.u64 %w, %v\n st.global.u32 o[%laneid], %w";
  const Timed timed = time(text, small_profile());
  ASSERT_NE(timed.ran.machine, nullptr);
  EXPECT_EQ(timed.ran.buffer("o")[31], 10U) << "1; 2, 6, 10; 11";
  RunSetup untimed;
  untimed.buffers["o"] = std::vector<std::uint64_t>(32);
  const Ran ran = run_text(".kernel k (inout o: u32[])\n" + text + "\n exit\n", untimed);
  ASSERT_NE(ran.machine, nullptr);
  EXPECT_EQ(ran.buffer("o")[31], 4U) << "an instruction a cycle";
}

TEST(Clock, ARunThatNeverEndsIsStopped) {
  RunSetup setup;
  setup.max_cycles = 5000;
  const Timed loop = time("l: bra l", small_profile(), setup);
  EXPECT_EQ(loop.ran.result.trap.kind, TrapKind::CycleLimit);
  setup.block = {64, 1, 1};
  const Timed deadlock = time("setp.lt.u32 %p, %tid.x, 32\n @%p bar.sync 0, 64\n", small_profile(), setup);
  EXPECT_FALSE(deadlock.ran.result.ok);
  EXPECT_NE(deadlock.ran.result.trap.kind, TrapKind::CycleLimit);
}

TEST(Clock, ADrawnScheduleHasNoProfile) {
  RunSetup setup;
  setup.schedule = fuzz_schedule(1);
  const Timed timed = time("mov.u32 %a, 1", small_profile(), setup);
  EXPECT_EQ(timed.ran.error.code, "L006");
}

// Events come in order, and the stalls of each cover the time since its warp's last one, for all programs and whatever
// the numbers; what a program computes does not depend on them.
TEST(Clock, EveryProgramComputesTheSameInItsOwnTime) {
  std::vector<TimingProfile> profiles = {small_profile(), small_profile()};
  profiles[1].scheduler = Scheduler::Lrr;
  profiles[1].sm.sub_cores = 2;
  profiles[1].classes[testing::kAlu].issue = 0;
  profiles[1].classes[testing::kAlu].latency.assign(testing::kSmallClasses, 0);
  profiles[1].classes[testing::kMemory].interval = 7.5;
  const int launches = testing::for_each_launch({8, 32}, [&](const Program& program, const PreparedCase& prepared) {
    if (!prepared.findings.empty()) return;  // it shows a mistake
    const testing::Outputs untimed = testing::outputs_of(program, prepared.config, prepared.arguments);
    for (const TimingProfile& profile : profiles) {
      LaunchConfig config = prepared.config;
      config.timing = std::make_shared<TimingProfile>(profile);
      config.max_cycles *= 1000;
      Issues issues;
      const testing::Outputs timed = testing::outputs_of(program, config, prepared.arguments);
      const testing::Outputs watched = testing::outputs_of(program, config, prepared.arguments, {&issues});
      EXPECT_TRUE(timed.result.ok) << english(timed.result.trap.message);
      EXPECT_EQ(timed.result.instructions, watched.result.instructions);
      EXPECT_EQ(timed.result.cycles, watched.result.cycles);
      if (program.unordered.empty()) {
        EXPECT_EQ(timed.result.instructions, untimed.result.instructions);
        EXPECT_EQ(timed.arrays, untimed.arrays);
      }
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> last;
      for (std::size_t k = 1; k < issues.all.size(); ++k) {
        const Issues::One &x = issues.all[k - 1], &y = issues.all[k];
        ASSERT_LE(std::tie(x.cycle, x.block, x.warp), std::tie(y.cycle, y.block, y.warp));
      }
      for (const Issues::One& one : issues.all) {
        std::uint64_t waited = 0;
        for (const Stall& stall : one.stalls) waited += stall.cycles;
        const auto it = last.find({one.block, one.warp});
        if (it != last.end()) {
          const std::uint64_t gap = one.cycle - it->second;
          ASSERT_EQ(waited, gap == 0 ? 0 : gap - 1) << "pc " << one.pc << " at " << one.cycle;
        }
        last[{one.block, one.warp}] = one.cycle;
      }
    }
  });
  EXPECT_GT(launches, 500);
}

// However far the next issue would have been, the limit is where the run stops; and its time goes up to there.
TEST(Clock, TheCycleLimitIsTheCycleOfItsTrap) {
  RunSetup setup;
  setup.max_cycles = 100;
  setup.buffers["o"] = std::vector<std::uint64_t>(64);
  const Timed timed =
      time("again: ld.global.u32 %a, o[%laneid]\n add.u32 %a, %a, 1\n bra again", small_profile(), setup);
  ASSERT_FALSE(timed.ran.result.ok);
  EXPECT_EQ(timed.ran.result.trap.kind, TrapKind::CycleLimit);
  EXPECT_EQ(english(timed.ran.result.trap.message), "still running after 100 cycles");
  EXPECT_EQ(timed.ran.result.trap.cycle, 101U);
  EXPECT_EQ(timed.ran.result.cycles, 100U);
  EXPECT_LT(timed.issues.all.back().cycle, 100U);
  EXPECT_NE(english(timed.ran.result.trap.hint).find("found in lockstep, without --profile"), std::string::npos);
}

TEST(Clock, ATrapInALateCycleEndsTheRunThere) {
  const Timed timed =
      time("ld.global.u32 %a, o[%laneid]\n add.u32 %b, %a, 1000\n st.global.u32 o[%b], %a", small_profile());
  ASSERT_FALSE(timed.ran.result.ok);
  EXPECT_EQ(timed.ran.result.trap.kind, TrapKind::OutOfBounds);
  const Cycles cycles = timed.issues.cycles();
  ASSERT_EQ(cycles.size(), 3U);
  EXPECT_EQ(timed.ran.result.trap.cycle, cycles[2]);
  EXPECT_EQ(timed.ran.result.cycles, cycles[2] - 1) << "as in lockstep: what traps has not run";
  EXPECT_GT(cycles[2] - 1, cycles[1]);
}

}  // namespace
}  // namespace warpsim
