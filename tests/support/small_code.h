// Machine code for tests of its clock, and a profile of small numbers.
//
// Units:  cycles.
// Errors: none.
// Source: the numbers are the tests' own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/timing/code_clock.h"
#include "tests/support/small_profile.h"

namespace warpsim::sass::testing {

using Cycles = std::vector<std::uint64_t>;

inline TimingClass code_class(const std::string& name) {
  TimingClass cls;
  cls.name = name;
  return cls;
}

// A pipe `alu` for two cycles; shuffles 20 cycles to their result, 5 more beside a predicate, 2 by a register; wide
// products guarded for 9; meetings of 12; loads 30 from L1 and 150 from L2; of constants 10, and 40 more for a new
// line.
inline TimingProfile code_profile() {
  TimingProfile profile = warpsim::testing::small_profile();
  profile.scheduler = Scheduler::Lrr;
  CodeTimingProfile& code = profile.machine_code.emplace();
  TimingClass alu = code_class("alu");
  alu.pipes = {0};
  alu.interval = 2;
  TimingClass fma = code_class("fma");
  fma.pipes = {1};
  fma.interval = 1;
  TimingClass wide = code_class("wide");
  wide.interlock = 9;
  TimingClass shuffle = code_class("shuffle");
  shuffle.scoreboard = 20;
  shuffle.scoreboard_of_predicate = 5;
  shuffle.scoreboard_by_register = 2;
  shuffle.operands_read = 7;
  TimingClass meeting = code_class("meeting");
  meeting.issue = 12;
  TimingClass load = code_class("load");
  load.scoreboard = profile.global.l1.latency;
  TimingClass constant = code_class("constant");
  constant.scoreboard = 10;
  TimingClass store = code_class("store");
  store.pipes = {warpsim::testing::kPortPipe};
  store.sm_pipe = warpsim::testing::kBankPipe;
  store.sm_interval = 6;
  store.operands_read = 7;
  store.queue = 4;
  TimingClass atomic = alu;
  atomic.name = "atomic";
  atomic.interval_per_way = 2;
  TimingClass count = atomic;
  count.name = "count";
  count.merges_lanes = true;
  TimingClass keeping = alu;
  keeping.name = "keeping";
  keeping.keeps_turn = true;
  code.classes = {alu, fma, wide, shuffle, meeting, load, constant, store, count, atomic, keeping, code_class("else")};
  code.rules = {{{"IADD3*"}, 0},     {{"FFMA"}, 1},  {{"IMAD.WIDE*"}, 2}, {{"SHFL*", "LDGSTS*"}, 3},
                {{"WARPSYNC"}, 4},   {{"LDG"}, 5},   {{"LDC"}, 6},        {{"STG"}, 7},
                {{"ATOMS.POPC"}, 8}, {{"ATOMS"}, 9}, {{"LOP3"}, 10},      {{"*"}, 11}};
  code.branch = {3, 6, 4, 0, 2};
  code.memory.l2_latency = 150;
  code.memory.far_page = 70;
  code.memory.page_bits = 3;
  code.memory.near_pages = 1;
  code.memory.write = code.memory.write_line = 0.5;
  code.memory.write_sector = 30;
  code.memory.write_partial = 40;
  code.memory.write_mask = 10;
  code.memory.write_lines = 2;
  code.memory.write_room = 40;
  code.memory.atomic_sector = 2;
  code.memory.atomic_lane = 5;
  code.memory.write_ahead = 2;
  code.memory.constants = 40;
  code.memory.uniform_constants = 25;
  return profile;
}

inline Operand reg(unsigned number, bool is_destination = false) {
  Operand o;
  o.kind = OperandKind::Register;
  o.is_destination = is_destination;
  o.number = static_cast<std::uint8_t>(number);
  return o;
}
inline Operand predicate(unsigned number) {
  Operand o = reg(number, true);
  o.kind = OperandKind::Predicate;
  return o;
}

inline Operand constant(std::int64_t offset) {
  Operand o;
  o.kind = OperandKind::Constant;
  o.value = offset;
  return o;
}

// `sources` stand at bits 24, 32 and 64, as the machine has them.
inline Instruction insn(std::string_view name, unsigned stall, std::vector<Operand> operands = {}) {
  Instruction made;
  made.is_known = true;
  made.name = name;
  made.control.stall = static_cast<std::uint8_t>(stall);
  std::size_t source = 0;
  for (const Operand& o : operands) {
    if (o.is_destination) continue;
    if (source == 0) made.word.low |= std::uint64_t{o.number} << 24;
    if (source == 1) made.word.low |= std::uint64_t{o.number} << 32;
    if (source == 2) made.word.high |= o.number;
    ++source;
  }
  made.operands = std::move(operands);
  return made;
}
inline Instruction modified(Instruction one, std::string word) {
  one.modifiers.push_back(std::move(word));
  return one;
}
inline Instruction sets(Instruction one, unsigned write, unsigned read = kNoScoreboard) {
  one.control.write_scoreboard = static_cast<std::uint8_t>(write);
  one.control.read_scoreboard = static_cast<std::uint8_t>(read);
  return one;
}
inline Instruction waits(Instruction one, unsigned mask) {
  one.control.wait_mask = static_cast<std::uint8_t>(mask);
  return one;
}

struct Issued {
  Cycles cycles;           // of warp 0
  std::uint64_t last = 0;  // of all
  std::vector<std::vector<Stall>> stalls;
  std::vector<std::uint32_t> warps;  // of all, in the order of their issues
};

// Each warp executes the code from its begin to its end. What comes of it: one outcome for all, or each instruction's.
inline Issued time(const std::vector<Instruction>& code, std::uint32_t warps = 1,
                   const std::vector<TimedOutcome>& outcomes = {{}}, const TimingProfile& profile = code_profile(),
                   const L2Map* l2 = nullptr) {
  CodeClock clock(profile, code, 1, warps);
  clock.warm_l2();
  clock.place_in_l2(l2);
  std::vector<std::int32_t> at(warps);
  Issued issued;
  while (const auto turn = clock.next()) {
    if (turn->warp == 0) {
      issued.cycles.push_back(turn->cycle);
      const auto stalls = clock.stalls();
      issued.stalls.emplace_back(stalls.begin(), stalls.end());
    }
    issued.last = turn->cycle;
    issued.warps.push_back(turn->warp);
    const std::size_t which = static_cast<std::size_t>(at[turn->warp]);
    clock.issued(at[turn->warp], outcomes[std::min(which, outcomes.size() - 1)]);
    if (++at[turn->warp] == static_cast<std::int32_t>(code.size())) clock.end(turn->warp);
    else clock.plan(turn->warp, at[turn->warp]);
  }
  return issued;
}

}  // namespace warpsim::sass::testing
