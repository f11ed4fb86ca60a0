// Which warp of a sub-core issues machine code next. The expected orders and cycles follow by hand from the numbers of
// small_code.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "sim/timing/code_clock.h"
#include "tests/support/small_code.h"

namespace warpsim::sass {
namespace {

using namespace testing;

TEST(CodeTurns, WhoIssuedLongestAgoIsNextUnlessAWarpGoesOn) {
  // Warp 8, the youngest, is first, and goes on for a while. Then those that yield take turns.
  std::vector<Instruction> code = {insn("NOP", 1), insn("NOP", 1), insn("NOP", 1)};
  code[1].control.yields = true;
  const std::vector<std::uint32_t> all = time(code, 9).warps;
  std::vector<std::uint32_t> first;
  std::copy_if(all.begin(), all.end(), std::back_inserter(first), [](std::uint32_t warp) { return warp % 4 == 0; });
  EXPECT_EQ(first, (std::vector<std::uint32_t>{8, 8, 4, 4, 0, 0, 8, 4, 0}));
}

TEST(CodeTurns, WhoWaitedForAPipeHasLostItsTurn) {
  // Warps 4 and 0 are of one sub-core; its `alu` takes an instruction every other cycle.
  const auto order = [](std::string_view name, unsigned stall) {
    std::vector<std::uint32_t> all = time(std::vector<Instruction>(3, insn(name, stall)), 5).warps;
    std::erase_if(all, [](std::uint32_t warp) { return warp % 4 != 0; });
    return all;
  };
  EXPECT_EQ(order("IADD3", 1), (std::vector<std::uint32_t>{4, 0, 4, 0, 4, 0}));
  EXPECT_EQ(order("IADD3", 2), (std::vector<std::uint32_t>{4, 4, 4, 0, 0, 0})) << "it does not have to wait";
  EXPECT_EQ(order("LOP3", 1), (std::vector<std::uint32_t>{4, 4, 4, 0, 0, 0})) << "its class keeps the turn";
}

TEST(CodeTurns, WhoStoppedForAConstantHasLostItsTurn) {
  // Warps 4 and 0 stop in cycles 1 and 2, and can both go on in cycle 27.
  const std::vector<Instruction> code = {insn("ULDC", 1, {reg(0, true), constant(0x210)}), insn("NOP", 1)};
  EXPECT_EQ(time(code, 5).cycles, (Cycles{2, 28}));
}

TEST(CodeTurns, BehindABarrierTheYoungestIsFirstWhoeverIssuedLast) {
  // Of the warps of one sub-core 0 comes to the barrier first, then 8, and 4 is the last: it does not go on either.
  std::vector<Instruction> code = {insn("NOP", 1), insn("NOP", 9), insn("NOP", 4), insn("BAR", 1), insn("NOP", 1)};
  constexpr std::int32_t kBarrier = 3;
  const TimingProfile profile = code_profile();
  CodeClock clock(profile, code, 1, 9);
  std::vector<std::uint32_t> arrived, left;
  while (const auto turn = clock.next()) {
    const std::uint32_t warp = turn->warp;
    const std::int32_t at = clock.at(warp);
    clock.issued(at, {});
    if (warp % 4 != 0 || at == kBarrier + 1) {
      if (warp % 4 == 0) left.push_back(warp);
      clock.end(warp);
    } else if (at == kBarrier) {
      arrived.push_back(warp);
      if (arrived.size() < 3) {
        clock.park();
        continue;
      }
      for (const std::uint32_t one : arrived) clock.leave_barrier(one);
      for (const std::uint32_t one : arrived) clock.plan(one, kBarrier + 1);
    } else {
      clock.plan(warp, at != 0 || warp == 0 ? kBarrier : warp == 8 ? 2 : 1);
    }
  }
  EXPECT_EQ(arrived, (std::vector<std::uint32_t>{0, 8, 4}));
  EXPECT_EQ(left, (std::vector<std::uint32_t>{8, 4, 0}));
}

TEST(CodeTurns, WhileAnInstructionLacksOperandsItsSubCoreStandsStill) {
  // Warp 4 reads R2 and R4 of one bank in the cycles 1 and 2, warp 0 in 3 and 4, a cycle later than it could: that
  // cycle passes for nobody. So it goes on, for both, in each round.
  Instruction one = insn("FFMA", 4, {reg(0, true), reg(2), reg(3), reg(4)});
  one.control.yields = true;
  EXPECT_EQ(time({one, one, one}).cycles, (Cycles{1, 5, 9}));
  EXPECT_EQ(time({one, one, one}, 5).cycles, (Cycles{2, 7, 12}));
  // A pipe of half the width takes two cycles for its operands anyway.
  one.name = "IADD3";
  EXPECT_EQ(time({one, one, one}, 5).cycles, (Cycles{3, 7, 11}));
}

}  // namespace
}  // namespace warpsim::sass
