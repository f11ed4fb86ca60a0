// What an SM of a profile allows a launch, by hand, and that no run goes beyond it.
#include "tools/report/sm_limits.h"

#include <gtest/gtest.h>

#include <string>

#include "isa/table/op.h"
#include "tests/support/every_run.h"
#include "tools/support/profiles.h"

namespace warpsim::tools {
namespace {

TraceHead head_of(std::uint32_t threads, std::uint64_t shared_words) {
  TraceHead head;
  head.lanes = 32;
  head.grid = {1, 1, 1};
  head.block = {threads, 1, 1};
  if (shared_words > 0) head.shared.push_back({"tile", Type::U32, shared_words});
  return head;
}

// An H200's SM has 64 warps, 32 blocks, 233,472 bytes.
TEST(SmLimits, WarpsBlocksAndSharedMemoryLimitTheBlocksOfAnSm) {
  const Timing h200 = timing_called("h200");
  const auto fits = [&h200](std::uint32_t threads, std::uint64_t shared_words) {
    const std::optional<SmLimits> limits = sm_limits(head_of(threads, shared_words), *h200);
    return std::to_string(limits->blocks) + " by " + std::string(limits->limited_by);
  };
  EXPECT_EQ(fits(32, 0), "32 by blocks");
  EXPECT_EQ(fits(33, 0), "32 by warps");               // of two warps
  EXPECT_EQ(fits(256, 0), "8 by warps");               // of eight
  EXPECT_EQ(fits(256, 10'000), "5 by shared memory");  // 233,472 / 40,000
  TraceHead two = head_of(32, 1);
  two.shared.push_back({"sums", Type::F64, 1});  // at 8, not at 4
  EXPECT_EQ(sm_limits(two, *h200)->block.shared_bytes, 16U);
  two.shared.push_back({"dynamic", Type::U32, 0});
  EXPECT_FALSE(sm_limits(two, *h200).has_value());
}

// Four sub-cores issue one instruction each; the SM's way to memory takes a line a cycle, and each sub-core's one in
// two.
TEST(SmLimits, RoofsAreTheProfilesNumbers) {
  const SmRoofs h200 = sm_roofs(*timing_called("h200"));
  EXPECT_DOUBLE_EQ(h200.issue, 4);
  EXPECT_DOUBLE_EQ(h200.lines, 1);
  const SmRoofs documents = sm_roofs(*timing_called("documents:low"));  // arithmetic issues beside other instructions
  EXPECT_DOUBLE_EQ(documents.issue, 0);
  EXPECT_DOUBLE_EQ(documents.lines, 0);
}

// Atomics on global memory take their pipe by lanes that name one word, not by lines: runs with some are left out.
TEST(SmLimits, NoRunIsAboveItsRoofs) {
  const Timing h200 = timing_called("h200");
  const SmRoofs roofs = sm_roofs(*h200);
  const std::optional<SmLimits> any = sm_limits(head_of(32, 0), *h200);
  int seen = 0;
  warpsim::testing::for_each_launch({8, 32}, [&](const Lesson& program, const PreparedCase& prepared) {
    LaunchConfig config = prepared.config;
    config.timing = with_sms(h200, 1);
    config.max_cycles *= 1000;
    StatisticsCounter counter;
    warpsim::testing::outputs_of(program, config, prepared.arguments, {&counter});
    const Statistics& s = counter.statistics();
    EXPECT_LE(instructions_a_cycle(s), roofs.issue) << program.full_name();
    EXPECT_LE(warps_at_once(s), any->device.warps) << program.full_name();
    bool atomics = false;
    for (const Insn& insn : program.code) {
      const AccessKind access = access_of(info(insn.op));
      atomics |= access == AccessKind::Atomic || access == AccessKind::Reduction;
    }
    if (atomics || s.global.lines + s.local.lines == 0) return;
    EXPECT_LE(instructions_a_cycle(s), roofs.lines * instructions_a_line(s)) << program.full_name();
    ++seen;
  });
  EXPECT_GT(seen, 100);
}

TEST(Profiles, AProfileWithOtherSmsAndAnotherSchedulerIsFoundByItsName) {
  const Timing h200 = timing_called("h200");
  const Timing changed = with_scheduler(with_sms(h200, 2), "gto");
  EXPECT_EQ(changed->name, "h200 --sms 2 --scheduler gto");
  const Timing found = timing_called(changed->name);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->name, changed->name);
  EXPECT_EQ(found->sm.sms, 2U);
  EXPECT_EQ(found->scheduler, Scheduler::Gto);
  EXPECT_EQ(with_sms(h200, h200->sm.sms), h200);  // as it is
  EXPECT_EQ(timing_called("h200 --scheduler oldest")->sm.sms, h200->sm.sms);
}

}  // namespace
}  // namespace warpsim::tools
