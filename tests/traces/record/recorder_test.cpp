// What the recorder makes of a run: events, phases, undefined lanes, outcomes.
#include "traces/record/recorder.h"

#include <gtest/gtest.h>

#include "sim/launch/launch.h"
#include "tests/support/run.h"
#include "traces/io/reader.h"
#include "traces/io/writer.h"
#include "traces/replay/state.h"

namespace warpsim {
namespace {

using testing::Ran;
using testing::run_text;
using testing::RunSetup;

struct Recorded {
  Ran ran;
  Trace trace;
};

// The body of a kernel with an input and an output of one u32 a thread: input[i] = 10 * i.
Recorded record(const std::string& body, RunSetup setup, RecorderOptions options = {}) {
  if (setup.buffers.empty()) {
    const std::size_t threads = setup.grid.count() * (setup.block.x == 0 ? setup.lanes : setup.block.count());
    for (std::size_t k = 0; k < threads; ++k) setup.buffers["input"].push_back(10 * k);
    setup.buffers["output"].assign(threads, 0);
  }
  const std::string text = ".kernel k (in input: u32[], out output: u32[])\n" + body;
  const Assembled assembled = assemble(text, "test.warp");  // as run_text() does
  Checker checker;
  options.checker = &checker;
  options.lesson = assembled.lesson();
  Recorder recorder(std::move(options));
  setup.sinks = {&checker, &recorder};
  Ran ran = run_text(text, setup);
  return {std::move(ran), recorder.take()};
}

// Lanes that are undefined in what the k-th execution of `pc` writes to its first register.
LaneMask undefined_at(const Trace& trace, std::int32_t pc, std::size_t destination = 0) {
  for (const TraceEvent& event : trace.events)
    if (event.pc == pc && event.writes.size() > destination) return event.writes[destination].undefined;
  ADD_FAILURE() << "pc " << pc << " wrote nothing";
  return 0;
}

TEST(Recorder, OneEventAnInstruction) {
  const Recorded r = record(R"(
    ld.global.u32 %x, input[%gtid]
    shfl.down.b32 %y|%ok, %x, 1
    add.u32 %x, %x, %y
    st.global.u32 output[%gtid], %x
    exit
)",
                            {.lanes = 4});
  const Trace& t = r.trace;
  ASSERT_EQ(t.events.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(t.events[k].cycle, k + 1);
    EXPECT_EQ(t.events[k].pc, static_cast<std::int32_t>(k));
    EXPECT_EQ(t.events[k].active, 0xFU);
    EXPECT_EQ(t.events[k].group, 0xFU);
  }
  ASSERT_TRUE(t.events[0].memory.has_value());
  EXPECT_EQ(t.events[0].memory->bits, (std::vector<std::uint64_t>{0, 10, 20, 30}));
  EXPECT_EQ(t.events[0].memory->index, (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(t.events[0].memory->address[1], t.head.params[0].address + 4);
  ASSERT_TRUE(t.events[1].exchange.has_value());
  EXPECT_EQ(t.events[1].exchange->from, (std::vector<std::uint8_t>{1, 2, 3, 3}));
  EXPECT_EQ(t.events[1].exchange->in_range, 0b0111U);
  ASSERT_EQ(t.events[1].writes.size(), 2U);
  EXPECT_EQ(t.events[1].writes[0].bits, (std::vector<std::uint64_t>{10, 20, 30, 30}));  // out of range: the own value,
  EXPECT_EQ(t.events[1].writes[0].undefined, 0U);                                       // which is defined
  EXPECT_EQ(t.events[1].writes[1].bits, (std::vector<std::uint64_t>{1, 1, 1, 0}));
  EXPECT_EQ(t.events[2].writes[0].bits, (std::vector<std::uint64_t>{10, 30, 50, 60}));
  EXPECT_EQ(t.events[3].memory->access, TraceMemory::Access::Store);
  EXPECT_EQ(t.events[4].masks.at(0).kind, TraceMask::Kind::Exit);
  ASSERT_EQ(t.outcome.findings.size(), 1U);
  EXPECT_EQ(name_of(t.outcome.findings[0]), "WS0201 out-of-range") << "lane 3 adds its own value once more";
  EXPECT_EQ(t.outcome.findings[0].lanes, 0b1000U);
  EXPECT_EQ(t.outcome.cycles, 5U);
  EXPECT_EQ(t.outcome.outputs.at(0).second.bits, (std::vector<std::uint64_t>{10, 30, 50, 60}));
  EXPECT_EQ(t.outcome.passed, std::nullopt);
}

TEST(Recorder, TheHeadSaysWhatRan) {
  const Recorded r = record("  setp.lt.u32 %p|%q, %laneid, 2\n  @!%p exit\n  vote.ballot.mask %m, !%p\n  exit\n",
                            {.lanes = 8, .block = {20, 1, 1}});
  const TraceHead& head = r.trace.head;
  EXPECT_EQ(head.lanes, 8U);
  EXPECT_EQ(head.block.x, 20U);
  EXPECT_EQ(head.file, "test.warp");
  ASSERT_EQ(head.code.size(), 4U);
  EXPECT_EQ(head.code[1].operands, std::vector<std::string>{});
  EXPECT_EQ(head.code[0].op, "setp.lt");
  EXPECT_EQ(head.code[0].operands, (std::vector<std::string>{"%p", "%q", "%laneid", "2"}));
  EXPECT_EQ(head.code[2].operands, (std::vector<std::string>{"%m", "!%p", ""}));
  EXPECT_EQ(head.code[1].line, 3U);
  ASSERT_EQ(head.params.size(), 2U);
  EXPECT_EQ(head.params[0].kind, TraceParam::Kind::In);
  EXPECT_EQ(head.params[1].kind, TraceParam::Kind::Out);
  EXPECT_EQ(head.params[0].length, 20U);
  ASSERT_EQ(head.inputs.size(), 1U);  // the out buffer starts as zeros
  EXPECT_EQ(head.inputs[0].first, "input");
}

TEST(Recorder, ExpectedOutputsDecide) {
  const std::string body = "  st.global.u32 output[%gtid], %laneid\n  exit\n";
  const Array right{Type::U32, {0, 1, 2, 3}}, wrong{Type::U32, {0, 1, 2, 4}};
  EXPECT_EQ(record(body, {.lanes = 4}, {.expected = {{"output", right}}}).trace.outcome.passed, true);
  const TraceOutcome failed = record(body, {.lanes = 4}, {.expected = {{"output", wrong}}}).trace.outcome;
  EXPECT_EQ(failed.passed, false);
  EXPECT_FALSE(failed.ok);
}

TEST(Recorder, ATrapIsInTheTrace) {
  const Recorded r = record("  ld.global.u32 %x, input[%gtid + 1]\n  exit\n", {.lanes = 4});
  EXPECT_FALSE(r.trace.outcome.ok);
  ASSERT_TRUE(r.trace.outcome.trap.has_value());
  EXPECT_EQ(r.trace.outcome.trap->kind, "out-of-bounds");
  EXPECT_EQ(r.trace.outcome.trap->lanes, 0b1000U);
  ASSERT_EQ(r.trace.events.size(), 1U);
  EXPECT_TRUE(r.trace.events[0].writes.empty());
}

TEST(Recorder, GuardedOffLanesAreInTheGroup) {
  const Recorded r = record("  setp.lt.u32 %p, %laneid, 2\n  @%p mov.u32 %x, 1\n  exit\n", {.lanes = 4});
  EXPECT_EQ(r.trace.events[1].active, 0b0011U);
  EXPECT_EQ(r.trace.events[1].group, 0b1111U);
  EXPECT_EQ(r.trace.events[1].writes.at(0).lanes, 0b0011U);
}

TEST(Recorder, StreamingGivesTheSameBytes) {
  const std::string body = R"(
    ld.global.u32 %x, input[%gtid]
again: .phase "Step {step}: x is {%x}"
    add.u32 %x, %x, 3
    setp.lt.u32 %more, %x, 40
    @%more bra again
    st.global.u32 output[%gtid], %x
    exit
)";
  const RunSetup setup{.lanes = 8, .grid = {2, 1, 1}, .block = {12, 1, 1}};
  const Trace kept = record(body, setup).trace;
  std::string streamed;
  TraceWriter writer(TraceShape::Ndjson, [&](std::string_view piece) { streamed += piece; });
  const std::string text = ".kernel k (in input: u32[], out output: u32[])\n" + body;
  const Assembled assembled = assemble(text, "test.warp");
  RecorderOptions options;
  options.lesson = assembled.lesson();
  Recorder recorder(options, {[&](const TraceHead& head) { writer.head(head); },
                              [&](const TraceEvent& event) { writer.event(event); },
                              [&](const TraceOutcome& outcome) { writer.outcome(outcome); }});
  RunSetup again = setup;
  for (std::size_t k = 0; k < 24; ++k) again.buffers["input"].push_back(10 * k);
  again.buffers["output"].assign(24, 0);
  again.sinks = {&recorder};
  run_text(text, again);
  EXPECT_EQ(streamed, to_ndjson(kept));
  EXPECT_TRUE(recorder.trace().events.empty());
}

// The state rebuilt from the trace is the machine's own, at the end of a run with divergence.
TEST(Recorder, TheStateCanBeRebuilt) {
  const Recorded r = record(R"(
    ld.global.u32 %x, input[%gtid]
    mov.u32 %n, 0
again:
    add.u32 %n, %n, 1
    sub.u32 %x, %x, 10
    setp.gt.s32 %more, %x, 0
    @%more bra again
    mul.wide.u32 %w, %n, 4294967295
    exit
)",
                            {.lanes = 16, .block = {40, 1, 1}});
  const TraceState state = state_after(r.trace, r.trace.events.size());
  const Lesson& program = *r.ran.program;
  for (std::uint32_t warp = 0; warp < 3; ++warp) {
    for (std::size_t reg = 0; reg < program.registers.size(); ++reg) {
      for (unsigned lane = 0; lane < (warp == 2 ? 8U : 16U); ++lane) {
        EXPECT_EQ(state.bits(0, warp, static_cast<std::int32_t>(reg), lane),
                  r.ran.machine->register_bits(0, warp, static_cast<std::int32_t>(reg), lane))
            << program.registers[reg].name << " warp " << warp << " lane " << lane;
      }
    }
  }
  // In between as well: after its first two instructions, warp 0 has %n = 0 everywhere, and no %more.
  std::size_t count = 0;
  while (!(r.trace.events[count].warp == 0 && r.trace.events[count].pc == 2)) ++count;
  const TraceState early = state_after(r.trace, count);
  EXPECT_EQ(early.bits(0, 0, program.find_register("%x"), 5), 50U);
  EXPECT_EQ(early.undefined(0, 0, program.find_register("%n")), 0U);
  EXPECT_EQ(early.undefined(0, 0, program.find_register("%more")), 0xFFFFU);
}

TEST(Recorder, AWriteToSomeLanesLeavesTheOthers) {
  TraceHead head;
  head.lanes = 4;
  head.registers = {{"%x", Type::U32}};
  TraceEvent event;
  event.writes = {{0, 0b0011, 0, {5, 6}}};
  TraceState state(head);
  state.apply(event);
  EXPECT_EQ(state.undefined(0, 0, 0), 0b1100U);
  event.writes = {{0, 0b0110, 0b0010, {0, 7}}};  // lane 1 becomes undefined, lane 2 defined
  state.apply(event);
  EXPECT_EQ(state.undefined(0, 0, 0), 0b1010U);
  EXPECT_EQ(state.bits(0, 0, 0, 0), 5U);
  EXPECT_EQ(state.bits(0, 0, 0, 2), 7U);
}

// ---- undefined lanes

// A register that only lanes 0 and 1 write, and what becomes of the others.
const char* const kHalfWritten = "  setp.lt.u32 %low, %laneid, 2\n  @%low mov.u32 %x, 5\n";  // pcs 0 and 1

LaneMask undefined_after(const std::string& instruction, std::size_t destination = 0, unsigned lanes = 4) {
  const Recorded r = record(kHalfWritten + instruction + "\n  exit\n", {.lanes = lanes});
  EXPECT_TRUE(r.ran.result.ok) << english(r.ran.result.trap.message);
  return undefined_at(r.trace, 2, destination);
}

TEST(Undefined, SpreadsLaneByLane) {
  EXPECT_EQ(undefined_after("  add.u32 %y, %x, 1"), 0b1100U);
  EXPECT_EQ(undefined_after("  add.u32 %y, %laneid, 1"), 0U);
  EXPECT_EQ(undefined_after("  setp.eq.u32 %p|%q, %laneid, %x"), 0b1100U);
  EXPECT_EQ(undefined_after("  setp.eq.u32 %p|%q, %laneid, %x", 1), 0b1100U);
  EXPECT_EQ(undefined_after("  cvt.rn.f32.u32 %f, %x"), 0b1100U);
  EXPECT_EQ(undefined_after("  mul.wide.u32 %w, %x, 3"), 0b1100U);
}

TEST(Undefined, SelpReadsOnlyWhatItPicks) {
  EXPECT_EQ(undefined_after("  selp.u32 %y, %x, 7, %low"), 0U);
  EXPECT_EQ(undefined_after("  selp.u32 %y, 7, %x, %low"), 0b1100U);
  EXPECT_EQ(undefined_after("  selp.u32 %y, 7, %x, !%low"), 0U);
}

TEST(Undefined, AShuffleTakesItsSourcesState) {
  EXPECT_EQ(undefined_after("  shfl.down.b32 %y|%ok, %x, 1"), 0b1110U);  // lane 1 hears lane 2; lane 3 keeps its own
  EXPECT_EQ(undefined_after("  shfl.down.b32 %y|%ok, %x, 1", 1), 0U);    // whether it is in range is known
  EXPECT_EQ(undefined_after("  shfl.up.b32 %y|%ok, %x, 2"), 0U);
  EXPECT_EQ(undefined_after("  shfl.bfly.b32 %y, %x, 2"), 0b0011U);
  EXPECT_EQ(undefined_after("  shfl.idx.b32 %y, %x, 0"), 0U);
  EXPECT_EQ(undefined_after("  shfl.idx.b32 %y, %laneid, %x"), 0b1100U);  // from an undefined lane
  EXPECT_EQ(undefined_after("  broadcast.u32 %y, %x"), 0U);
  EXPECT_EQ(undefined_after("  broadcast.u32 %y, %x, 3"), 0b1111U);
}

TEST(Undefined, AnInactiveSourceIsUndefined) {
  const Recorded exited =
      record("  setp.ge.u32 %high, %laneid, 2\n  @%high exit\n  shfl.down.b32 %y, %laneid, 1\n  exit\n", {.lanes = 4});
  EXPECT_EQ(undefined_at(exited.trace, 2), 0b0010U);
  // A partial last warp: lanes 2 and 3 never existed.
  const Recorded partial = record("  shfl.down.b32 %y, %laneid, 1\n  exit\n", {.lanes = 4, .block = {6, 1, 1}});
  for (const TraceEvent& event : partial.trace.events)
    if (event.pc == 0) {
      EXPECT_EQ(event.writes[0].undefined, event.warp == 1 ? 0b0010U : 0U);
    }
}

TEST(Undefined, CollectivesHearEveryLane) {
  EXPECT_EQ(undefined_after("  reduce.add.u32 %y, %x"), 0b1111U);
  EXPECT_EQ(undefined_after("  scan.add.u32 %y, %x"), 0b1100U);
  EXPECT_EQ(undefined_after("  scan.add.exclusive.u32 %y, %x"), 0b1000U);
  EXPECT_EQ(undefined_after("  reduce.add.u32 %y, %laneid"), 0U);
  const Recorded vote = record(
      std::string(kHalfWritten) + "  setp.eq.u32 %p, %x, 5\n  vote.all %a, %p\n  vote.ballot.mask %m, %low\n  exit\n",
      {.lanes = 4});
  EXPECT_EQ(undefined_at(vote.trace, 3), 0b1111U);
  EXPECT_EQ(undefined_at(vote.trace, 4), 0U);
}

TEST(Undefined, AWriteMakesDefinedAgain) {
  const Recorded r = record(std::string(kHalfWritten) + "  mov.u32 %x, 1\n  mov.u32 %y, %x\n  exit\n", {.lanes = 4});
  EXPECT_EQ(undefined_at(r.trace, 3), 0U);
}

TEST(Undefined, TheGuardCounts) {
  const Recorded r =
      record(std::string(kHalfWritten) + "  setp.eq.u32 %p, %x, 0\n  @%p mov.u32 %y, 1\n  exit\n", {.lanes = 4});
  for (const TraceEvent& event : r.trace.events)
    if (event.pc == 3 && !event.writes.empty()) {
      EXPECT_EQ(event.writes[0].undefined, event.active & 0b1100U);
    }
}

TEST(Undefined, LanesOnAnotherPathKeepTheirState) {
  const Recorded r = record(R"(
    setp.lt.u32 %low, %laneid, 2
    @!%low bra join
    mov.u32 %x, 5
join:
    mov.u32 %y, %x
    exit
)",
                            {.lanes = 4});
  LaneMask seen = 0;
  for (const TraceEvent& event : r.trace.events)
    if (event.pc == 3) seen |= event.writes.at(0).undefined;
  EXPECT_EQ(seen, 0b1100U);
}

TEST(Undefined, SharedMemoryStartsUndefined) {
  const Recorded r = record(R"(
    .shared u32 tile[WARP_SZ]
    setp.lt.u32 %low, %laneid, 2
    @%low st.shared.u32 tile[%laneid], %laneid
    ld.shared.u32 %x, tile[%laneid]
    st.shared.u32 tile[%laneid], 7
    ld.shared.u32 %y, tile[%laneid]
    st.shared.u32 tile[%laneid], %x
    ld.shared.u32 %z, tile[%laneid]
    exit
)",
                            {.lanes = 4, .grid = {2, 1, 1}});
  ASSERT_TRUE(r.ran.result.ok) << english(r.ran.result.trap.message);
  EXPECT_EQ(undefined_at(r.trace, 2), 0b1100U);
  EXPECT_EQ(undefined_at(r.trace, 4), 0U);
  EXPECT_EQ(undefined_at(r.trace, 6), 0b1100U);  // something undefined was stored
  for (const TraceEvent& event : r.trace.events)
    if (event.pc == 2) {
      EXPECT_EQ(event.memory->undefined[0], 0b1100U) << "block " << event.block;  // each block has its own
    }
}

TEST(Undefined, EachBlockHasSharedMemoryOfItsOwn) {
  const Recorded r = record(R"(
    .shared u32 tile[WARP_SZ]
    setp.eq.u32 %first, %ctaid.x, 0
    @%first st.shared.u32 tile[%laneid], 7
    ld.shared.u32 %x, tile[%laneid]
    exit
)",
                            {.lanes = 4, .grid = {2, 1, 1}});
  for (const TraceEvent& event : r.trace.events) {
    if (event.pc == 2) {
      EXPECT_EQ(event.writes.at(0).undefined, event.block == 0 ? 0U : 0b1111U) << "block " << event.block;
    }
  }
}

TEST(Undefined, ReachesTheOutputs) {
  const Recorded r = record(std::string(kHalfWritten) + "  st.global.u32 output[%gtid], %x\n  exit\n", {.lanes = 4},
                            {.expected = {{"output", {Type::U32, {5, 5, 0, 0}}}}});
  EXPECT_EQ(r.trace.events[2].memory->undefined[0], 0b1100U);
  ASSERT_EQ(r.trace.outcome.undefined.size(), 1U);
  EXPECT_EQ(r.trace.outcome.undefined[0].index, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(r.trace.outcome.passed, false);  // even if the bits happen to agree
  EXPECT_NE(to_json(r.trace).find("\"output\": [5, 5, null, null]"), std::string::npos);
}

TEST(Undefined, MaskedAt64LanesToo) {
  const Recorded r =
      record("  setp.lt.u32 %low, %laneid, 40\n  @%low mov.u32 %x, 5\n  scan.add.u32 %y, %x\n  exit\n", {.lanes = 64});
  EXPECT_EQ(undefined_at(r.trace, 2), ~full_mask(40));
}

// ---- phases

struct Start {
  std::uint32_t number, step;
  std::string title;
  bool operator==(const Start&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Start& s) {
  return out << s.number << "/" << s.step << " " << s.title;
}

std::vector<Start> starts(const Trace& trace, std::uint32_t block = 0, std::uint32_t warp = 0) {
  std::vector<Start> found;
  for (const TraceEvent& event : trace.events)
    if (event.phase && event.block == block && event.warp == warp)
      found.push_back({event.phase->number, event.phase->step, event.phase->title});
  return found;
}

TEST(Phases, ALoopBeginsItsPhaseEachTime) {
  const Recorded r = record(R"(
    mov.u32 %offset, WARP_SZ / 2
.phase "Load"
    ld.global.u32 %x, input[%gtid]
step: .phase "Step {step}: offset {%offset}"
    shfl.bfly.b32 %y, %x, %offset
    max.u32 %x, %x, %y
    shr.u32 %offset, %offset, 1
    setp.ne.u32 %more, %offset, 0
    @%more bra step
.phase "Store"
    st.global.u32 output[%gtid], %x
    exit
)",
                            {.lanes = 8, .block = {16, 1, 1}});
  const std::vector<Start> expected = {{1, 1, "Load"},
                                       {2, 1, "Step 1: offset 4"},
                                       {3, 2, "Step 2: offset 2"},
                                       {4, 3, "Step 3: offset 1"},
                                       {5, 1, "Store"}};
  EXPECT_EQ(starts(r.trace, 0, 0), expected);
  EXPECT_EQ(starts(r.trace, 0, 1), expected);  // each warp counts for itself
  EXPECT_FALSE(r.trace.events[0].phase.has_value());
}

TEST(Phases, ALoopInsideAPhaseIsOneInstance) {
  const Recorded r = record(R"(
.phase "Count"
    mov.u32 %n, 0
again:
    add.u32 %n, %n, 1
    setp.lt.u32 %more, %n, 3
    @%more bra again
    exit
)",
                            {.lanes = 4});
  EXPECT_EQ(starts(r.trace), (std::vector<Start>{{1, 1, "Count"}}));
}

TEST(Phases, DivergentSidesOfOnePhaseDoNotBeginItAgain) {
  const Recorded r = record(R"(
.phase "Both sides"
    setp.lt.u32 %low, %laneid, 2
    @%low bra left
    mov.u32 %x, 1
    bra join
left:
    mov.u32 %x, 2
join:
    mov.u32 %y, %x
.phase "Next"
    exit
)",
                            {.lanes = 4});
  EXPECT_EQ(starts(r.trace), (std::vector<Start>{{1, 1, "Both sides"}, {2, 1, "Next"}}));
}

TEST(Phases, EachSideMayHaveAPhaseOfItsOwn) {
  const Recorded r = record(R"(
    setp.lt.u32 %low, %laneid, 2
    @%low bra left
.phase "Right"
    mov.u32 %x, 1
    mov.u32 %x, 3
    bra join
left: .phase "Left"
    mov.u32 %x, 2
join: .phase "Join"
    mov.u32 %y, %x
    exit
)",
                            {.lanes = 4});
  std::vector<Start> found = starts(r.trace);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NE(found[0].title, found[1].title);
  EXPECT_EQ(found[2], (Start{3, 1, "Join"}));
}

TEST(Phases, TitlesShowUndefinedAsAQuestionMark) {
  const Recorded r =
      record("  setp.lt.u32 %low, %laneid, 0\n  @%low mov.u32 %x, 1\n.phase \"x is {%x}\"\n  mov.u32 %y, 2\n  exit\n",
             {.lanes = 4});
  EXPECT_EQ(starts(r.trace), (std::vector<Start>{{1, 1, "x is ?"}}));
}

// ---- from run to text

TEST(Recorder, ARealTraceComesBackByteForByte) {
  for (const unsigned lanes : kLaneCounts) {
    const Recorded r = record(R"(
    .shared u32 tile[WARP_SZ * 4]
    ld.global.u32 %x, input[%gtid]
    rem.u32 %r, %laneid, 3
    setp.eq.u32 %p, %r, 0
    @%p bra other
    mul.lo.u32 %x, %x, 3
other:
    cvt.rn.f32.u32 %f, %x
    st.shared.u32 tile[%laneid], %x
    bar.sync 0
    ld.shared.u32 %s, tile[%laneid]
    activemask.mask %m
    mov.u64 %ptr, output
    mul.wide.u32 %w, %gtid, 4
    add.u64 %ptr, %ptr, %w
    st.global.u32 [%ptr], %s
    exit
)",
                              {.lanes = lanes, .grid = {2, 1, 1}, .block = {lanes + (lanes + 1) / 2, 1, 1}});
    ASSERT_TRUE(r.ran.result.ok) << english(r.ran.result.trap.message);
    const std::string document = to_json(r.trace);
    const std::variant<Trace, JsonError> back = read_trace(document);
    ASSERT_TRUE(std::holds_alternative<Trace>(back)) << render(std::get<JsonError>(back), "t");
    EXPECT_EQ(to_json(std::get<Trace>(back)), document);
  }
}

}  // namespace
}  // namespace warpsim
