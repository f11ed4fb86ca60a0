// Statistics: events fed by hand, with stalls that the test chose, and small programs counted by hand.
#include "sim/statistics/statistics.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>

#include "tests/support/every_run.h"
#include "tests/support/run.h"
#include "tests/support/small_profile.h"

namespace warpsim {
namespace {

using testing::Ran;
using testing::run_text;
using testing::RunSetup;
using Reason = Stall::Reason;

// pc 0 … 3; %x is register 0.
constexpr const char* kFour = R"(
.kernel k (out output: u32[])
        mov.u32         %x, 1
        add.u32         %y, %x, 2
        st.global.u32   output[%laneid], %y
        exit
)";

class ByHand : public ::testing::Test {
 protected:
  void SetUp() override {
    Assembled made = assemble(kFour, "k.warp");
    ASSERT_TRUE(made.lesson());
    program_ = *std::move(made.lesson());
    counter_.begin(
        {true, 4, [](std::uint32_t) { return full_mask(4); },
         [](std::uint32_t block, std::uint32_t warp) { return static_cast<std::int32_t>(block * 4 + warp); }});
  }
  void issue(std::uint64_t cycle, std::uint32_t block, std::uint32_t warp, std::int32_t pc, std::vector<Stall> stalls) {
    const Insn& insn = program_.code[static_cast<std::size_t>(pc)];
    IssueEvent event{cycle, block, warp, pc, full_mask(4), full_mask(4), full_mask(4), &insn, stalls};
    counter_.on_issue(event);
    if (insn.op == Op::Exit) counter_.on_mask({MaskEvent::Kind::Exit, full_mask(4), 0, -1, -1});
  }
  static Stall stall(Reason reason, std::uint64_t cycles, std::int32_t reg = -1, std::int32_t pc = -1,
                     std::int32_t pipe = -1) {
    return {reason, cycles, reg, pc, pipe};
  }

  Lesson program_;
  StatisticsCounter counter_;
};

// Warp 0 lives in cycles 1 … 20, warp 1 in 3 … 8, both on SM 0; block 2's only warp, on SM 2, in 11 … 12.
TEST_F(ByHand, WhoWaitedForWhatAndWhere) {
  issue(1, 0, 0, 0, {});
  issue(4, 0, 1, 0, {stall(Reason::NotSelected, 1)});  // begins in cycle 3
  issue(5, 0, 0, 1, {stall(Reason::Issue, 1), stall(Reason::Dependency, 2, 0, 0)});
  issue(8, 0, 1, 3, {stall(Reason::Dependency, 3, 0, 0)});
  issue(9, 0, 0, 2, {stall(Reason::Dependency, 2, 0, 0), stall(Reason::Unit, 1, -1, -1, 5)});
  issue(11, 2, 0, 0, {});
  issue(12, 2, 0, 3, {});
  issue(20, 0, 0, 3, {stall(Reason::Branch, 10)});
  counter_.finish(24);
  const Statistics& s = counter_.statistics();
  EXPECT_EQ(s.cycles, 24U);
  EXPECT_EQ(s.counts.instructions, 8U);
  EXPECT_EQ(s.issue_cycles, 8U);
  EXPECT_EQ(s.stall_cycles, 20U);
  EXPECT_EQ(s.stalls, (std::array<std::uint64_t, kStallReasonCount>{1, 10, 7, 0, 0, 1, 1}));
  EXPECT_EQ(s.sms(), 2U);
  ASSERT_EQ(s.sub_cores.size(), 3U);
  const auto expect = [&](std::int32_t number, std::uint64_t issued, std::uint64_t none, std::uint64_t empty) {
    const SubCoreStatistics& one = s.sub_cores.at(number);
    EXPECT_EQ(one.warps, 1U);
    EXPECT_EQ(one.instructions, issued);
    EXPECT_EQ(one.issued, issued);
    EXPECT_EQ(one.none_eligible, none) << number;
    EXPECT_EQ(one.empty, empty) << number;
  };
  expect(0, 4, 16, 4);
  expect(1, 2, 4, 18);
  expect(8, 2, 0, 22);
  ASSERT_GE(s.places.size(), 5U);
  EXPECT_EQ(s.places[0].reason, Reason::Branch);
  EXPECT_EQ(s.places[0].pc, 3);
  EXPECT_EQ(s.places[1].cycles, 3U);  // of warp 1 at pc 3
  EXPECT_EQ(s.places[1].pc, 3);
  EXPECT_EQ(s.places[1].reg, 0);
  EXPECT_EQ(s.places[1].writer, 0);
  std::uint64_t total = 0;
  for (const StallPlace& place : s.places) total += place.cycles;
  EXPECT_EQ(total, s.stall_cycles);
}

// Two warps of one sub-core, one after the other with a hole between, a dual issue, and a warp that the run's end cuts.
TEST_F(ByHand, ASubCoresCyclesAreIssuedIdleOrEmpty) {
  issue(2, 0, 0, 0, {stall(Reason::NotSelected, 1)});
  issue(2, 0, 0, 1, {});  // beside the first
  issue(3, 0, 0, 3, {});
  issue(10, 1, 0, 0, {});
  issue(12, 1, 0, 1, {stall(Reason::Dependency, 1, 0, 0)});
  counter_.finish(15);
  const Statistics& s = counter_.statistics();
  const SubCoreStatistics &first = s.sub_cores.at(0), &second = s.sub_cores.at(4);
  EXPECT_EQ(s.issue_cycles, 4U);
  EXPECT_EQ(first.instructions, 3U);
  EXPECT_EQ(first.issued, 2U);
  EXPECT_EQ(first.none_eligible, 1U);  // cycle 1
  EXPECT_EQ(first.empty, 12U);
  EXPECT_EQ(second.issued, 2U);
  EXPECT_EQ(second.none_eligible, 4U);  // 11, and 13 to 15
  EXPECT_EQ(second.empty, 9U);
}

Statistics of_run(const std::string& text, RunSetup setup) {
  StatisticsCounter counter;
  setup.sinks.push_back(&counter);
  const Ran ran = run_text(text, setup);
  EXPECT_TRUE(ran.result.ok);
  EXPECT_EQ(counter.statistics().cycles, ran.result.cycles);
  return counter.statistics();
}

TEST(Statistics, ActivityIsInQuartersOfWhatExists) {
  EXPECT_EQ(activity_of(0, 32), 0);
  EXPECT_EQ(activity_of(1, 32), 1);
  EXPECT_EQ(activity_of(8, 32), 1);
  EXPECT_EQ(activity_of(9, 32), 2);
  EXPECT_EQ(activity_of(16, 32), 2);
  EXPECT_EQ(activity_of(24, 32), 3);
  EXPECT_EQ(activity_of(25, 32), 4);
  EXPECT_EQ(activity_of(31, 32), 4);
  EXPECT_EQ(activity_of(32, 32), 5);
  EXPECT_EQ(activity_of(1, 1), 5);
  EXPECT_EQ(activity_of(2, 3), 3);
}

// Word 0 of each lane lies before word 1 of any: what lanes hold at one place is one row of 128 bytes, 4 sectors.
TEST(Statistics, LocalMemoryIsInterleavedAndCountedApart) {
  StatisticsCounter counter;
  counter.begin({false, 0, {}, {}, 32});
  std::uint64_t address[kMaxLanes] = {};
  MemoryEvent event{};
  event.space = MemoryEvent::Space::Local;
  event.access = MemoryEvent::Access::Load;
  event.lanes = full_mask(32);
  event.address = address;
  const auto access = [&](std::uint32_t bytes, std::uint64_t step) {
    event.bytes = bytes;
    event.elements = 1;
    for (unsigned lane = 0; lane < 32; ++lane) address[lane] = 8 + lane * step;
    const std::uint64_t before = counter.statistics().local.sectors;
    counter.on_memory(event);
    return counter.statistics().local.sectors - before;
  };
  EXPECT_EQ(access(4, 0), 4U);
  EXPECT_EQ(access(8, 0), 8U);   // words 2 and 3 of each lane
  EXPECT_EQ(access(1, 0), 4U);   // a byte of each word of the row
  EXPECT_EQ(access(4, 4), 32U);  // lane k in row 2 + k
  EXPECT_EQ(counter.statistics().local.requests, 4U);
  EXPECT_EQ(counter.statistics().local.least_sectors, 4U + 8U + 1U + 4U);
  event.space = MemoryEvent::Space::Constant;
  access(4, 0);
  EXPECT_EQ(counter.statistics().local.requests, 4U);
  EXPECT_EQ(counter.statistics().global.requests, 0U);
}

// 32 lanes touch elements 0 … 31: 4 sectors, 1 line. Every second of 64: 8 sectors where 4 could do, 2 lines where 1.
TEST(Statistics, SectorsAndLinesAgainstTheLeast) {
  RunSetup setup;
  setup.buffers = {{"input", std::vector<std::uint64_t>(64, 0)}, {"output", std::vector<std::uint64_t>(32, 0)}};
  const Statistics s = of_run(R"(
.kernel k (in input: u32[], out output: u32[])
        shl.b32         %far, %laneid, 1
        ld.global.u32   %x, input[%far]
        st.global.u32   output[%laneid], %x
        exit
)",
                              setup);
  EXPECT_EQ(s.global.requests, 2U);
  EXPECT_EQ(s.global.sectors, 12U);
  EXPECT_EQ(s.global.least_sectors, 8U);
  EXPECT_EQ(s.global.lines, 3U);
  EXPECT_EQ(s.global.least_lines, 2U);
  EXPECT_EQ(s.global.worst_pc, 1);
  EXPECT_EQ(s.global.worst_sectors, 8U);
  EXPECT_EQ(s.global.worst_least, 4U);
  EXPECT_FALSE(s.timed);
  EXPECT_EQ(s.stall_cycles, 0U);
  EXPECT_TRUE(s.sub_cores.empty());
}

// tile[2 * lane]: lanes 0 and 16 share a bank, and so on: two ways. tile[lane] has one.
TEST(Statistics, WaysOfBankConflicts) {
  const Statistics s = of_run(R"(
.kernel k ()
.shared u32 tile[64]
        shl.b32         %far, %laneid, 1
        st.shared.u32   tile[%laneid], %far
        st.shared.u32   tile[%far], %far
        ld.shared.u32   %x, tile[%far]
        exit
)",
                              {});
  EXPECT_EQ(s.shared.accesses, 3U);
  EXPECT_EQ(s.shared.ways, 5U);
  EXPECT_EQ(s.shared.conflicts, 2U);
  EXPECT_EQ(s.shared.worst_ways, 2U);
  EXPECT_EQ(s.shared.worst_pc, 2);
}

// 8 lanes: two instructions by 2 of them, the others by all; the branch, whose guard switches no lane off, by all that
// are there.
TEST(Statistics, LanesThatAreActive) {
  RunSetup setup;
  setup.lanes = 8;
  const Statistics s = of_run(R"(
.kernel k ()
        setp.lt.u32     %low, %laneid, 2
        @%low mov.u32   %x, 1
        @!%low bra      after
        mov.u32         %y, 1
after:  mov.u32         %z, 1
        exit
)",
                              setup);
  EXPECT_EQ(s.counts.instructions, 6U);
  EXPECT_EQ(s.active_lanes, 8U + 2 + 8 + 2 + 8 + 8);
  EXPECT_EQ(s.existing_lanes, 48U);
  EXPECT_EQ(s.activity, (std::array<std::uint64_t, kActivityCount>{0, 2, 0, 0, 0, 4}));
}

// ---- timed runs

// mov 1; shfl 5; add 25; shfl 26; shfl 30, as the port is taken; exit 31: 3 and 19 cycles for operands, 3 for the port.
TEST(Statistics, OfATimedRun) {
  RunSetup setup;
  setup.timing = std::make_shared<TimingProfile>(testing::small_profile());
  const Statistics s = of_run(R"(
.kernel k ()
        mov.u32         %a, 1
        shfl.bfly.b32   %b, %a, 1
        add.u32         %c, %b, 1
        shfl.bfly.b32   %d, %a, 2
        shfl.bfly.b32   %e, %a, 4
        exit
)",
                              setup);
  EXPECT_TRUE(s.timed);
  EXPECT_EQ(s.cycles, 31U);
  EXPECT_EQ(s.stalls, (std::array<std::uint64_t, kStallReasonCount>{0, 0, 22, 0, 0, 3, 0}));
  ASSERT_EQ(s.places.size(), 3U);
  EXPECT_EQ(s.places[0].cycles, 19U);
  EXPECT_EQ(s.places[0].pc, 2);
  EXPECT_EQ(s.places[0].writer, 1);
  EXPECT_EQ(s.places[1].pipe + s.places[2].pipe, testing::kPortPipe - 1);  // the other has none
  ASSERT_EQ(s.sub_cores.size(), 1U);
  EXPECT_EQ(s.sub_cores.at(0).issued, 6U);
  EXPECT_EQ(s.sub_cores.at(0).none_eligible, 25U);
  EXPECT_EQ(s.sub_cores.at(0).empty, 0U);
}

// What must add up, over all programs and several schedulers.
TEST(Statistics, AddUp) {
  unsigned turn = 0;
  testing::for_each_launch({8, 32}, [&](const Lesson& program, const PreparedCase& prepared) {
    if (!prepared.findings.empty()) return;
    TimingProfile profile = testing::small_profile();
    profile.scheduler = static_cast<Scheduler>(turn++ % 3);
    profile.sm.sub_cores = 1 + turn % 4;
    LaunchConfig config = prepared.config;
    config.timing = std::make_shared<TimingProfile>(profile);
    config.max_cycles *= 1000;
    StatisticsCounter counter;
    const RunResult result = testing::outputs_of(program, config, prepared.arguments, {&counter}).result;
    const Statistics& s = counter.statistics();
    EXPECT_EQ(s.cycles, result.cycles);
    EXPECT_EQ(s.counts.instructions, result.instructions);
    EXPECT_EQ(std::accumulate(s.activity.begin(), s.activity.end(), std::uint64_t{0}), result.instructions);
    EXPECT_EQ(std::accumulate(s.stalls.begin(), s.stalls.end(), std::uint64_t{0}), s.stall_cycles);
    std::uint64_t instructions = 0, warps = 0, in_places = 0;
    for (const auto& [number, one] : s.sub_cores) {
      EXPECT_EQ(one.issued + one.none_eligible + one.empty, s.cycles) << number;
      EXPECT_LE(one.issued, one.instructions);
      instructions += one.instructions;
      warps += one.warps;
    }
    for (const StallPlace& place : s.places) in_places += place.cycles;
    EXPECT_EQ(instructions, result.instructions);
    EXPECT_EQ(in_places, s.stall_cycles);
    EXPECT_LE(warps, config.grid.count() * ((config.block.count() + config.lanes - 1) / config.lanes));
    EXPECT_LE(s.sms(), profile.sm.sms);
  });
  EXPECT_GT(turn, 300U);
}

}  // namespace
}  // namespace warpsim
