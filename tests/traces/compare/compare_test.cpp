// The first difference of two traces, as a sentence.
#include "traces/compare/compare.h"

#include <gtest/gtest.h>

#include "tests/support/run.h"
#include "tests/traces/io/sample_trace.h"
#include "traces/record/recorder.h"

namespace warpsim {
namespace {

using testing::run_text;
using testing::sample_trace;

// Seven instructions; pc 3 is a shuffle that loops.
Trace run(unsigned lanes = 16, std::uint32_t blocks = 1) {
  const std::string text = R"(.kernel k (in input: u32[], out output: u32[])
    ld.global.u32 %x, input[%gtid]
    mov.u32 %n, 0
again:
    add.u32 %n, %n, 1
    shfl.down.b32 %y, %x, 1
    add.u32 %x, %x, %y
    setp.lt.u32 %more, %n, 3
    @%more bra again
    st.global.u32 output[%gtid], %x
    exit
)";
  std::vector<std::uint64_t> input(lanes * blocks);
  for (std::size_t k = 0; k < input.size(); ++k) input[k] = k;
  Recorder recorder;
  run_text(text, {.lanes = lanes,
                  .grid = {blocks, 1, 1},
                  .buffers = {{"input", input}, {"output", std::vector<std::uint64_t>(input.size(), 0)}},
                  .sinks = {&recorder}});
  return recorder.take();
}

// The k-th event at a pc.
TraceEvent& event(Trace& trace, std::int32_t pc, std::size_t k, std::uint32_t block = 0) {
  for (TraceEvent& each : trace.events)
    if (each.pc == pc && each.block == block && k-- == 0) return each;
  ADD_FAILURE() << "no such event";
  return trace.events.front();
}

// As a capture from hardware: no cycles, and no order.
Trace as_hardware(Trace trace) {
  for (TraceEvent& each : trace.events) each.cycle.reset();
  trace.head.backend = "NVIDIA H200";
  trace.head.title = "another title";
  trace.outcome.cycles = 0;
  return trace;
}

TEST(Compare, EqualTracesHaveNoDifference) {
  EXPECT_EQ(first_difference(run(), run()), std::nullopt);
  EXPECT_EQ(first_difference(sample_trace(8), sample_trace(8)), std::nullopt);
  EXPECT_EQ(first_difference(run(), as_hardware(run())), std::nullopt);
}

TEST(Compare, AWrongLane) {
  const Trace one = run();
  Trace two = run();
  event(two, 3, 2).writes[0].bits[9] = 28;  // the third iteration, lane 9: cycle 2 + 5 * 2 + 2
  // Each iteration x[i] += x[i+1]: after two of them lane 10 of 0, 1, 2 … holds 10 + 2 * 11 + 12 = 44.
  EXPECT_EQ(first_difference(one, two), "cycle 14, pc 3 shfl.down: lane 9 holds 44, the other holds 28");
  EXPECT_EQ(first_difference(two, one), "cycle 14, pc 3 shfl.down: lane 9 holds 28, the other holds 44");
  EXPECT_EQ(first_difference(one, as_hardware(two)),
            "pc 3 shfl.down, execution 3: lane 9 holds 44, the other holds 28");
}

TEST(Compare, SeveralWarpsAreNamed) {
  const Trace one = run(16, 2);
  Trace two = run(16, 2);
  event(two, 3, 0, 1).writes[0].bits[0] = 1;
  EXPECT_EQ(first_difference(one, two), "cycle 4, block 1, warp 0, pc 3 shfl.down: lane 0 holds 17, the other holds 1");
}

TEST(Compare, UndefinedIsADifferenceButNotAgainstHardware) {
  const Trace one = run();
  Trace two = run();
  event(two, 3, 0).writes[0].undefined = 0b10;
  event(two, 3, 0).writes[0].bits[1] = 99;
  EXPECT_EQ(first_difference(one, two), "cycle 4, pc 3 shfl.down: lane 1 holds 2, the other is undefined");
  EXPECT_EQ(first_difference(as_hardware(one), two), std::nullopt);
  Trace both = two;
  event(both, 3, 0).writes[0].bits[1] = 77;
  EXPECT_EQ(first_difference(two, both), std::nullopt);  // bits of an undefined lane mean nothing
}

TEST(Compare, WhereLanesGo) {
  const Trace one = run();
  Trace two = run();
  event(two, 3, 0).exchange->from[4] = 6;
  EXPECT_EQ(first_difference(one, two), "cycle 4, pc 3 shfl.down: lane 4 receives from lane 5, the other from lane 6");
  two = run();
  event(two, 0, 0).memory->index[2] = 7;
  EXPECT_EQ(first_difference(one, two),
            "cycle 1, pc 0 ld.global: lane 2 loads from input[2], the other loads from input[7]");
  two = run();
  event(two, 2, 0).active = 0xFF;
  EXPECT_EQ(first_difference(one, two), "cycle 3, pc 2 add: lanes 0-15 are active, in the other lanes 0-7");
  two = run();
  two.events.pop_back();
  EXPECT_EQ(first_difference(one, two), "cycle 19, pc 8 exit: the other trace has ended");
  two = run();
  two.events[4].pc = 5;
  EXPECT_EQ(first_difference(one, two), "cycle 5, pc 4 add: the other has cycle 5, pc 5 setp.lt");
}

// Whatever the writer writes of an event is compared; what has no sentence of its own is named by its member.
TEST(Compare, MembersWithoutASentence) {
  const Trace one = run();
  Trace two = run();
  event(two, 3, 0).exchange->undefined = 0b100;
  EXPECT_EQ(first_difference(one, two), "cycle 4, pc 3 shfl.down: \"undefined\" differs");
  two = run();
  event(two, 0, 0).memory->order = {1, 0};  // only the other has it
  EXPECT_EQ(first_difference(one, two), "cycle 1, pc 0 ld.global: \"order\" differs");
  EXPECT_EQ(first_difference(two, one), "cycle 1, pc 0 ld.global: \"order\" differs");
  two = run();
  event(two, 3, 0).phase = TracePhaseStart{};
  EXPECT_EQ(first_difference(one, two), std::nullopt) << "a title does not matter";
}

TEST(Compare, HeadsAndOutcomes) {
  const Trace one = run();
  EXPECT_EQ(first_difference(one, run(8)), "lanes: 16, the other has 8");
  Trace two = run();
  two.head.inputs[0].second.bits[3] = 4;
  EXPECT_EQ(first_difference(one, two), "input input[3] holds 3, the other holds 4");
  two = run();
  two.outcome.outputs[0].second.bits[15] = 1;
  EXPECT_EQ(first_difference(one, two), "output output[15] holds 120, the other holds 1");  // 15 doubled three times
  two = run();
  two.outcome.trap.emplace().kind = "deadlock";
  EXPECT_EQ(first_difference(one, two), "no trap, the other has deadlock");
}

// Hardware may report lanes in any order, and only some instructions.
TEST(Compare, HardwareHasNoOrderAcrossLanes) {
  const Trace one = run();
  Trace capture = as_hardware(run());
  std::vector<TraceEvent> lanes;
  for (unsigned lane = 16; lane-- > 0;) {  // lane after lane, the highest first
    for (const TraceEvent& each : capture.events) {
      if (each.pc != 3 && each.pc != 4) continue;
      TraceEvent single = each;
      single.active = single.group = lane_bit(lane);
      single.exchange.reset();
      for (TraceWrite& write : single.writes) {
        write.bits = {write.bits[lane]};
        write.lanes = lane_bit(lane);
      }
      lanes.push_back(single);
    }
  }
  capture.events = lanes;
  EXPECT_EQ(first_difference(one, capture), std::nullopt);
  Trace wrong = capture;
  wrong.events[1].writes[0].bits[0] = 5;  // lane 15, first execution of pc 4
  EXPECT_EQ(first_difference(one, wrong), "pc 4 add, execution 1: lane 15 holds 30, the other holds 5");
  Trace missing = capture;
  missing.events.pop_back();  // lane 0's last execution of pc 4
  EXPECT_EQ(first_difference(one, missing), "pc 4 add, execution 3: lane 0 executes it, in the other it does not");
  EXPECT_EQ(first_difference(missing, one), "pc 4 add, execution 3: lane 0 does not execute it, in the other it does");
}

}  // namespace
}  // namespace warpsim
