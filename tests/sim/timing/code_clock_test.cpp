// When machine instructions issue. The expected cycles follow by hand from control bits and the numbers of
// small_code.h.
#include "sim/timing/code_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "tests/support/small_code.h"

namespace warpsim::sass {
namespace {

using namespace testing;

TEST(CodeClock, AWarpGoesOnWhenItsStallCountHasPassed) {
  EXPECT_EQ(time({insn("NOP", 1), insn("NOP", 5), insn("NOP", 13), insn("NOP", 0), insn("NOP", 1)}).cycles,
            (Cycles{1, 2, 7, 20, 21}))
      << "a count of 0 is a cycle, too";
  const Issued issued = time({insn("NOP", 5), insn("NOP", 1)});
  EXPECT_EQ(issued.stalls[1], (std::vector<Stall>{{Stall::Reason::Issue, 4}}));
}

TEST(CodeClock, AnInstructionWaitsForItsScoreboards) {
  const Instruction shuffle = insn("SHFL", 1, {predicate(kTrue), reg(0, true), reg(1)});
  const Issued issued = time({sets(shuffle, 2), insn("NOP", 1), waits(insn("NOP", 1), 1U << 2)});
  EXPECT_EQ(issued.cycles, (Cycles{1, 2, 21}));
  EXPECT_EQ(issued.stalls[2], (std::vector<Stall>{{Stall::Reason::Dependency, 18, -1, 0}}));
  EXPECT_EQ(time({sets(shuffle, 2), waits(insn("NOP", 1), 1U << 3)}).cycles, (Cycles{1, 2})) << "another one";
  EXPECT_EQ(time({sets(shuffle, 2), sets(shuffle, 2), waits(insn("NOP", 1), 1U << 2)}).cycles, (Cycles{1, 2, 22}))
      << "it is at zero when both are done";
  EXPECT_EQ(time({sets(shuffle, kNoScoreboard, 1), waits(insn("NOP", 1), 1U << 1)}).cycles, (Cycles{1, 8}))
      << "its operands have been read";
}

TEST(CodeClock, APredicateAndARegisterMakeAShuffleLater) {
  const Instruction writes = insn("SHFL", 1, {predicate(3), reg(0, true), reg(1)});
  EXPECT_EQ(time({sets(writes, 0), waits(insn("NOP", 1), 1)}).cycles, (Cycles{1, 26}));
  const Instruction by = insn("SHFL", 1, {predicate(kTrue), reg(0, true), reg(1), reg(2)});
  EXPECT_EQ(time({sets(by, 0), waits(insn("NOP", 1), 1)}).cycles, (Cycles{1, 23}));
}

TEST(CodeClock, AWideProductIsGuardedWhateverTheStallCountSays) {
  const Instruction wide = modified(insn("IMAD", 2, {reg(4, true), reg(1), reg(2), reg(6)}), "WIDE");
  EXPECT_EQ(time({wide, insn("NOP", 1, {reg(8, true), reg(4)})}).cycles, (Cycles{1, 10}));
  EXPECT_EQ(time({wide, insn("NOP", 1, {reg(8, true), reg(5)})}).cycles, (Cycles{1, 10})) << "its upper half";
  EXPECT_EQ(time({wide, insn("NOP", 1, {reg(8, true), reg(6)})}).cycles, (Cycles{1, 3})) << "another register";
}

TEST(CodeClock, CopiesAreWaitedForByGroups) {
  // Each group is of one copy; the first two have arrived when only one is left.
  Instruction copy = insn("LDGSTS", 1), group = sets(insn("LDGDEPBAR", 1), 0), wait = insn("DEPBAR", 1);
  Operand which, left;
  which.kind = OperandKind::Scoreboard;
  left.kind = OperandKind::Immediate;
  left.value = 1;
  wait.operands = {which, left};
  EXPECT_EQ(time({copy, group, insn("NOP", 9), copy, group, wait}).cycles.back(), 21U);
  wait.operands[1].value = 0;
  EXPECT_EQ(time({copy, group, insn("NOP", 9), copy, group, wait}).cycles.back(), 32U);
}

TEST(CodeClock, ABranchThatIsTakenLeadsThereLater) {
  EXPECT_EQ(time({insn("BRA", 5), insn("NOP", 1)}).cycles, (Cycles{1, 6}));
  TimedOutcome taken;
  taken.way = TimedOutcome::Way::Taken;
  EXPECT_EQ(time({insn("BRA", 5), insn("NOP", 1)}, 1, {taken}).cycles, (Cycles{1, 9}));
}

TEST(CodeClock, WarpsOfASubCoreShareItsPipes) {
  // Warps 0 and 4 are of one sub-core; its `alu` takes an instruction every other cycle.
  const std::vector<Instruction> code(3, insn("IADD3", 1, {reg(0, true), reg(1)}));
  EXPECT_EQ(time(code).cycles, (Cycles{1, 3, 5}));
  EXPECT_EQ(time(code, 4).cycles, (Cycles{1, 3, 5})) << "each on a sub-core of its own";
  EXPECT_EQ(time(code, 5).last, 11U) << "six of them, one after another";
}

TEST(CodeClock, CodeFromElsewhereIsFetchedForOneWarpACycle) {
  TimedOutcome taken;
  taken.way = TimedOutcome::Way::Taken;
  const std::vector<Instruction> code = {insn("BRA", 5), insn("NOP", 1)};
  EXPECT_EQ(time(code, 1, {taken, {}}).last, 9U);
  EXPECT_EQ(time(code, 3, {taken, {}}).last, 11U) << "three sub-cores jump in one cycle";
}

TEST(CodeClock, OperandsAreReadWhenAnInstructionLeavesItsQueue) {
  const Instruction store = sets(insn("STG", 1, {reg(1)}), kNoScoreboard, 1), wait = waits(insn("NOP", 1), 1U << 1);
  EXPECT_EQ(time({store, wait}).cycles, (Cycles{1, 8}));
  EXPECT_EQ(time({store, store, wait}).cycles, (Cycles{1, 2, 14})) << "the second leaves 6 cycles behind the first";
}

// Stores leave their queue every 6 cycles, their operands are read 7 cycles later.
struct Stores {
  std::vector<std::uint64_t> address;  // of a store's first lane; the second one's follows
  unsigned bytes = 16;                 // 16: two lanes fill a sector
  bool is_atomic = false;
  unsigned lanes = 1;  // of an atomic that name one word
  unsigned apart = 0;  // the second lane from the first, if it does not follow
};
std::uint64_t all_read(const Stores& given) {
  std::vector<Instruction> code(given.address.size(), insn("STG", 1, {reg(1)}));
  code.back() = sets(code.back(), kNoScoreboard, 1);
  code.push_back(waits(insn("NOP", 1), 1U << 1));
  std::vector<std::array<std::uint64_t, 2>> addresses;
  for (const std::uint64_t first : given.address)
    addresses.push_back({first, first + std::max(given.bytes, given.apart)});
  std::vector<TimedOutcome> outcomes;
  for (const std::array<std::uint64_t, 2>& both : addresses) {
    TimedOutcome& one = outcomes.emplace_back();
    one.address = both;
    one.bytes = given.bytes;
    one.stores = true;
    one.is_atomic = given.is_atomic;
    one.ways = given.lanes;
  }
  outcomes.emplace_back();
  return time(code, 1, outcomes).cycles.back();
}

TEST(CodeClock, StoresWaitForRoomOnTheirWayToL2) {
  // The six leave their queue in cycles 1, 7, 13, 19 … The third one's sector would be more than 40 cycles behind: it
  // keeps the pipe until 21 + 1, the fourth one until 52. Two wait for the pipe: the sixth leaves its queue in
  // cycle 52.
  EXPECT_EQ(all_read({{0x1000, 0x2000, 0x3000, 0x4000, 0x5000, 0x6000}}), 52U + 7);
  // A line's parts of sectors take 10 and 40 each. Of one: the pipe is free in cycles 12, 62, 112. Of two: 52, 142,
  // 232.
  EXPECT_EQ(all_read({{0x1000, 0x2000, 0x3000, 0x4000, 0x5000, 0x6000}, 4}), 112U + 7);
  EXPECT_EQ(all_read({{0x1000, 0x2000, 0x3000, 0x4000, 0x5000, 0x6000}, 4, false, 1, 32}), 232U + 7);
}

TEST(CodeClock, AStoreGoesToL2WithWhatIsStillThere) {
  // One sector, whose words the first takes along: each of the six has left its queue 6 cycles after the one before.
  EXPECT_EQ(all_read({{0x1000, 0x1000, 0x1000, 0x1000, 0x1000, 0x1000}}), 31U + 7);
  EXPECT_EQ(all_read({{0x1000, 0x2000, 0x1000, 0x2000, 0x1000, 0x2000}}), 31U + 7) << "of two lines";
  EXPECT_EQ(all_read({{0x1000, 0x2000, 0x3000, 0x1000, 0x2000, 0x3000}}), 52U + 7) << "three are too many";
}

TEST(CodeClock, AtomicsWaitForTheirSectorsAndTheirLanes) {
  // The first keeps the pipe until 1 + 8 * 5: there the third leaves its queue.
  EXPECT_EQ(all_read({{0x1000, 0x1000, 0x1000}, 4, true, 8}), 41U + 7);
  EXPECT_EQ(all_read({{0x1000, 0x1000, 0x1000}, 4, true, 1}), 13U + 7) << "of two lanes, it is not in the way";
  EXPECT_EQ(all_read({{0x1000, 0x1000, 0x1000}, 4096, true, 1}), 513U + 7) << "of 256 sectors";
}

TEST(CodeClock, APageOfTheOtherHalfOfL2IsFarTheFirstTime) {
  // The first page is 150 cycles away. Page 2 has as many bits as page 1, and 3 one more: it is 70 further.
  const Instruction load = sets(insn("LDG", 1, {reg(0, true)}), 0), wait = waits(insn("NOP", 1), 1);
  const auto second_load = [&](std::uint64_t first, std::uint64_t second) {
    TimedOutcome one, other, none;
    one.address = std::span(&first, 1);
    other.address = std::span(&second, 1);
    const Cycles cycles = time({load, wait, load, wait}, 1, {one, none, other, none}).cycles;
    return cycles[3] - cycles[2];
  };
  EXPECT_EQ(second_load(0x1000, 0x1080), 150U) << "the launch's first page";
  EXPECT_EQ(second_load(0x1000, 0x2000), 150U);
  EXPECT_EQ(second_load(0x1000, 0x3000), 220U);
  EXPECT_EQ(second_load(0x3000, 0x3080), 150U) << "the launch's first page";
}

TEST(CodeClock, WhereL2IsMappedALoadComesFromAsFarAsItsPieceLies) {
  // From 0x1000 on 100 cycles, and 5 more, or 60 in the second piece; 2, or 4, where the line was read before.
  TimingProfile profile = code_profile();
  profile.machine_code->memory.l2_nearest = 100;
  const L2Map map{0x1000, {5, 60}, {2, 4}};
  const Instruction load = sets(insn("LDG", 1, {reg(0, true)}), 0), wait = waits(insn("NOP", 1), 1);
  const auto waited = [&](std::uint64_t first, std::uint64_t second) {
    TimedOutcome one, other, none;
    one.address = std::span(&first, 1);
    other.address = std::span(&second, 1);
    const Cycles cycles = time({load, wait, load, wait}, 1, {one, none, other, none}, profile, &map).cycles;
    return Cycles{cycles[1] - cycles[0], cycles[3] - cycles[2]};
  };
  EXPECT_EQ(waited(0x1000, 0x1120), (Cycles{105, 160}));
  EXPECT_EQ(waited(0x11e0, 0x11c0), (Cycles{160, 104})) << "another sector of a line that L2 has near since";
  EXPECT_EQ(waited(0x1200, 0x1280), (Cycles{150, 150})) << "beyond the map";
}

TEST(CodeClock, LanesThatCountTheSameWordAreCountedTogether) {
  // Eight lanes name four words of one bank: each lane takes its turn, or each word.
  TimedOutcome outcome;
  outcome.ways = 8;
  outcome.merged_ways = 4;
  const Instruction atomic = insn("ATOMS", 1), count = modified(atomic, "POPC");
  EXPECT_EQ(time({atomic, atomic}, 1, {outcome}).cycles, (Cycles{1, 17}));
  EXPECT_EQ(time({count, count}, 1, {outcome}).cycles, (Cycles{1, 9}));
}

TEST(CodeClock, AMeetingTakesItsTimeWhateverTheStallCountSays) {
  EXPECT_EQ(time({insn("WARPSYNC", 5), insn("NOP", 1)}).cycles, (Cycles{1, 13}));
  EXPECT_EQ(time({insn("WARPSYNC", 15), insn("NOP", 1)}).cycles, (Cycles{1, 16}));
  EXPECT_EQ(time({modified(insn("WARPSYNC", 5), "ALL"), insn("NOP", 1)}).cycles, (Cycles{1, 6}));
}

TEST(CodeClock, WarpsOfAnSmMeetOneAfterTheOther) {
  TimingProfile profile = code_profile();
  TimingClass& meeting = profile.machine_code->classes[4];
  meeting.sm_pipe = warpsim::testing::kBankPipe;
  meeting.sm_interval = 4;
  meeting.is_queued = true;
  const std::vector<Instruction> code = {insn("WARPSYNC", 5), insn("NOP", 1)};
  EXPECT_EQ(time(code, 1, {{}}, profile).last, 13U);
  EXPECT_EQ(time(code, 3, {{}}, profile).last, 21U) << "the third meets in cycle 9";
  EXPECT_EQ(time(code, 5, {{}}, profile).last, 29U) << "the fifth, which issues later, in cycle 17";
  meeting.sm_interval = 20;
  EXPECT_EQ(time({code[0], modified(code[0], "ALL"), code[1]}, 3, {{}}, profile).cycles, (Cycles{1, 13, 18}))
      << "where all lanes are expected the warp waits for no other";
}

TEST(CodeClock, ALineOfConstantsComesOnceForAllWarps) {
  const auto load = [](std::int64_t offset) { return sets(insn("LDC", 1, {reg(0, true), constant(offset)}), 0); };
  const Instruction wait = waits(insn("NOP", 1), 1);
  EXPECT_EQ(time({load(0x210), wait, load(0x220), wait}).cycles, (Cycles{1, 51, 52, 62})) << "it has come";
  EXPECT_EQ(time({load(0x210), wait, load(0x240), wait}).cycles, (Cycles{1, 51, 52, 102})) << "another line";
}

TEST(CodeClock, LoadsOfConstantsOfAnSmComeOneAfterTheOther) {
  TimingProfile profile = code_profile();
  profile.machine_code->memory.constants_apart = 3;
  const Instruction load = sets(insn("LDC", 1, {reg(0, true), constant(0x210)}), 0), wait = waits(insn("NOP", 1), 1);
  EXPECT_EQ(time({load, wait}, 1, {{}}, profile).last, 51U);
  EXPECT_EQ(time({load, wait}, 2, {{}}, profile).last, 54U) << "the warps have sub-cores of their own";
  EXPECT_EQ(time({load, load, wait}, 1, {{}}, profile).last, 54U);
  EXPECT_EQ(time({load, wait}, 5, {{}}, profile).cycles, (Cycles{2, 63})) << "the fifth, whose sub-core has two";
}

TEST(CodeClock, AConstantThatIsThereDoesNotWaitForALineThatIsNot) {
  TimingProfile profile = code_profile();
  profile.machine_code->memory.constants_apart = 3;
  const auto load = [](std::int64_t offset, unsigned scoreboard) {
    return sets(insn("LDC", 1, {reg(0, true), constant(offset)}), scoreboard);
  };
  const Instruction wait = waits(insn("NOP", 1), 1), other = waits(insn("NOP", 1), 1U << 1);
  EXPECT_EQ(time({load(0x210, 0), wait, load(0x240, 0), load(0x220, 1), other, wait}, 1, {{}}, profile).cycles,
            (Cycles{1, 51, 52, 53, 65, 102}))
      << "its turn is 3 cycles behind the other's";
}

TEST(CodeClock, ALoadOfConstantsByNoLaneFetchesNoLine) {
  const Instruction load = sets(insn("LDC", 1, {reg(0, true), constant(0x210)}), 0), wait = waits(insn("NOP", 1), 1);
  TimedOutcome none;
  none.values = 0;
  EXPECT_EQ(time({load, wait}, 1, {none}).cycles, (Cycles{1, 11}));
  EXPECT_EQ(time({load, load, wait}, 1, {none, {}}).cycles, (Cycles{1, 2, 52})) << "the second one does";
}

TEST(CodeClock, AConstantOperandStopsTheWarpUntilItsLineIsThere) {
  const Instruction uniform = insn("ULDC", 1, {reg(0, true), constant(0x210)});
  EXPECT_EQ(time({uniform, insn("NOP", 1), uniform, insn("NOP", 1)}).cycles, (Cycles{1, 27, 28, 29}));
  const Instruction load = sets(insn("LDC", 1, {reg(0, true), constant(0x210)}), 0);
  EXPECT_EQ(time({uniform, load, waits(insn("NOP", 1), 1)}).cycles, (Cycles{1, 27, 77})) << "LDC has its own cache";
}

TEST(CodeClock, EachSectorOfALineComesFromL2OnItsOwn) {
  const Instruction load = sets(insn("LDG", 1, {reg(0, true)}), 0), wait = waits(insn("NOP", 1), 1);
  const std::uint64_t first[] = {0x1000, 0x101c}, second[] = {0x1020};
  TimedOutcome one, other, none;
  one.address = first;
  other.address = second;
  const std::vector<Instruction> code = {load, wait, load, wait};
  EXPECT_EQ(time(code, 1, {one, none, one, none}).cycles, (Cycles{1, 151, 152, 182}));
  EXPECT_EQ(time(code, 1, {one, none, other, none}).cycles, (Cycles{1, 151, 152, 302}));
}

// A store of two lanes in cycle 1, so many bytes each; when a load of 0x9000, or of `from`, has come that begins then.
std::uint64_t loaded_behind_store(unsigned bytes, std::uint64_t begin, std::uint64_t from = 0x9000) {
  const std::uint64_t stored[] = {0x1000, 0x1000 + bytes};
  TimedOutcome store, load, none;
  store.address = stored;
  store.bytes = bytes;
  store.stores = true;
  load.address = std::span(&from, 1);
  const std::vector<Instruction> code = {insn("STG", static_cast<unsigned>(begin - 1), {reg(1)}),
                                         sets(insn("LDG", 1, {reg(0, true)}), 0), waits(insn("NOP", 1), 1)};
  return time(code, 1, {store, load, none}).cycles.back();
}

TEST(CodeClock, ALoadFromL2LeavesBehindWhatWasStored) {
  EXPECT_EQ(loaded_behind_store(32, 2), 61U + 150) << "two sectors have gone to L2 in cycle 1 + 2 * 30";
  EXPECT_EQ(loaded_behind_store(32, 60), 61U + 150);
  EXPECT_EQ(loaded_behind_store(32, 70), 70U + 150);
}

TEST(CodeClock, WhatAStoreWritesWholeIsInL1) {
  EXPECT_EQ(loaded_behind_store(16, 2, 0x1004), 2U + 30);
  EXPECT_EQ(loaded_behind_store(32, 2, 0x1024), 2U + 30) << "of two sectors";
  EXPECT_EQ(loaded_behind_store(16, 2, 0x1020), 31U + 150) << "another sector of the line";
  EXPECT_EQ(loaded_behind_store(4, 2, 0x1008), 51U + 150) << "a part of it alone has been written";
}

TEST(CodeClock, TwoBanksDeliverRegisters) {
  // R2 and R4 lie in one bank: two cycles. One instruction may wait for its registers while the next one issues.
  Instruction twice = insn("FFMA", 1, {reg(0, true), reg(2), reg(3), reg(4)});
  EXPECT_EQ(time({twice, twice, twice, twice, twice}).cycles, (Cycles{1, 2, 4, 6, 8}));
  Instruction keeps = twice;
  keeps.control.reuse = 1U << 2;
  EXPECT_EQ(time({keeps, keeps, keeps, keeps, keeps}).cycles, (Cycles{1, 2, 3, 4, 5})) << "the cache has R4";
  // Of 64 bits each operand takes both banks: three cycles, or two where R8 is kept; R4 never is.
  Instruction wide = insn("DFMA", 1, {reg(0, true), reg(4), reg(6), reg(8)});
  EXPECT_EQ(time({wide, wide, wide, wide}).cycles, (Cycles{1, 3, 6, 9}));
  wide.control.reuse = 1U << 2;
  EXPECT_EQ(time({wide, wide, wide, wide}).cycles, (Cycles{1, 3, 5, 7}));
  wide.control.reuse = 1U;
  EXPECT_EQ(time({wide, wide, wide, wide}).cycles, (Cycles{1, 3, 6, 9}));
}

// A warp that goes on alone is not beyond what others do to its sub-core: when the warps of sub-core 0 issue the last
// instruction of the code, by the clock that tells of all instructions, and by the one that goes on alone.
constexpr std::int32_t kEnd = 60;
struct Course {
  Cycles ends;
  std::uint64_t alone = 0;
};
template <class F>
Course follow(std::uint32_t slots, std::uint32_t warps, std::uint64_t blocks, bool goes_alone, F come) {
  TimingProfile profile = code_profile();
  profile.sm.sms = 1;
  profile.machine_code->fetch.lines = 64;  // all of the code, so that no sub-core waits for lines
  std::vector<Instruction> code(kEnd + 1, insn("FFMA", 2));
  code.front() = code.back() = insn("BRX", 2);  // anywhere, or to the end
  std::vector<std::uint32_t> alone(code.size());
  for (std::size_t k = 1; k < kEnd; ++k) alone[k] = static_cast<std::uint32_t>(kEnd - k);
  CodeClock clock(profile, code, slots, warps);
  if (goes_alone) clock.go_alone(alone, 1000, blocks);
  Course course;
  while (const auto turn = clock.next()) {
    const std::int32_t at = clock.at(turn->warp);
    if (at == kEnd && clock.sub_core(turn->warp) == 0) course.ends.push_back(turn->cycle);
    clock.issued(at, {});
    come(clock, turn->warp, at);
  }
  course.alone = clock.alone().instructions;
  return course;
}

TEST(CodeClock, WhoGoesOnAloneMeetsWhomABarrierReleases) {
  const auto course = [](bool goes_alone) {
    // The first warp of sub-core 0 waits until that of sub-core 1 has come to the end; the second goes on.
    return follow(1, 2 * code_profile().sm.sub_cores, 1, goes_alone,
                  [](CodeClock& clock, std::uint32_t warp, std::int32_t at) {
                    if (at == 0 && warp == 0) return clock.park();
                    if (at == 0 && warp == 1) return clock.plan(warp, kEnd - 20, kEnd);
                    if (at == 0 && clock.sub_core(warp) == 0) return clock.plan(warp, 1, kEnd);
                    if (at < kEnd && at != 0) return clock.plan(warp, at + 1, kEnd);
                    if (warp == 1) clock.leave_barrier(0);
                    clock.end(warp);
                    if (warp == 1) clock.plan(0, 1, kEnd);
                  });
  };
  const Course told = course(false), alone = course(true);
  EXPECT_EQ(told.ends.size(), 2U);
  EXPECT_EQ(alone.ends, told.ends);
  EXPECT_GT(alone.alone, std::uint64_t{kEnd});
}

// Warp 0 comes to its barrier, goes on behind it, and waits before a store for warp 1, which does much else first.
TEST(CodeClock, WhoIsBehindABarrierGoesOnUntilItTouchesMemory) {
  TimingProfile profile = code_profile();
  profile.machine_code->classes[0].passes_barrier = true;  // IADD3's
  const std::vector<Instruction> code = {insn("NOP", 1), insn("BAR", 1), insn("IADD3", 3), insn("IADD3", 1),
                                         insn("STG", 1, {reg(1)})};
  CodeClock clock(profile, code, 1, 2);
  clock.pass_barriers([](std::int32_t at) { return at == 2 || at == 3; });
  std::array<Cycles, 2> cycles;
  while (const auto turn = clock.next()) {
    const std::uint32_t warp = turn->warp;
    const std::int32_t at = clock.at(warp);
    cycles[warp].push_back(turn->cycle);
    clock.issued(at, {});
    const bool opens = at == 1 && warp == 1;
    for (std::uint32_t k = 0; opens && k < 2; ++k) clock.leave_barrier(k);
    if (at == 4) clock.end(warp);
    else if (at == 0 && warp == 1 && cycles[1].size() < 40) clock.plan(1, 0);
    else clock.plan(warp, at + 1, 0, warp == 0 && at != 0 && cycles[1].size() <= 40);
    if (opens) clock.plan(0, 4);
  }
  EXPECT_EQ(cycles[0], (Cycles{1, 2, 3, 6, cycles[1][40] + profile.barrier.release}));
}

TEST(CodeClock, WhoGoesOnAloneMeetsABlockThatBegins) {
  // The first block is long, those that begin where the other has ended are short, or end at once beside sub-core 0.
  const auto course = [](bool goes_alone, bool at_once) {
    std::uint64_t begun = 2, blocks = 9;
    return follow(2, 1, blocks, goes_alone, [&](CodeClock& clock, std::uint32_t warp, std::int32_t at) {
      const bool goes_on = !at_once || clock.sub_core(warp) == 0;
      if (at == 0 && goes_on) return clock.plan(warp, warp == 0 ? 1 : kEnd - 5, kEnd);
      if (at < kEnd && at != 0) return clock.plan(warp, at + 1, kEnd);
      clock.end(warp);
      if (warp == 1 && begun < blocks) clock.begin_block(1, static_cast<std::uint32_t>(begun++));
    });
  };
  for (const bool at_once : {true, false}) {
    const Course told = course(false, at_once), alone = course(true, at_once);
    EXPECT_GE(told.ends.size(), 2U);
    EXPECT_EQ(alone.ends, told.ends);
    EXPECT_GT(alone.alone, std::uint64_t{kEnd});
  }
}

}  // namespace
}  // namespace warpsim::sass
