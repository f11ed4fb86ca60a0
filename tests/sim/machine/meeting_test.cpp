// Matches and reductions over member masks, and reductions at a block's barrier.
//
// Shapes: small programs at several lane counts; what each lane gets is worked out beside them.
// Source: PTX ISA 9.0, match.sync, redux.sync, bar.red; tests/data/README.md. tests/isa/kernels/vectors_test.cpp holds
//         the first two against the H200.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/captures.h"
#include "tests/support/run.h"
#include "traces/record/recorder.h"

namespace warpsim {
namespace {

using testing::Ran;
using testing::run_text;
using testing::RunSetup;
using Words = std::vector<std::uint64_t>;

TEST(Meeting, MatchesFindTheLanesWithTheSameValue) {
  for (const unsigned lanes : {4U, 8U, 32U, 64U}) {
    const std::string mask = lanes > 32 ? "b64" : "b32";
    const Ran ran = run_text(".kernel k (out any: " + mask + "[], out wide: " + mask + "[], out all: " + mask +
                                 "[], out same: " + mask + "[], out p: u32[], out q: u32[])\n.reg ." + mask +
                                 " %m, %w, %none, %every\n" + R"(
    rem.u32 %a, %laneid, 3
    match.any.sync.b32 %m, %a, -1
    cvt.u64.u32 %wide, %a
    shl.b64 %wide, %wide, 40
    match.any.b64 %w, %wide
    match.all.b32 %none|%p, %a
    match.all.b64 %every|%q, 7
    st.global.)" + mask + " any[%gtid], %m\nst.global." +
                                 mask + " wide[%gtid], %w\nst.global." + mask + " all[%gtid], %none\nst.global." +
                                 mask + " same[%gtid], %every\n" + R"(
    selp.u32 %n, 1, 0, %p
    st.global.u32 p[%gtid], %n
    selp.u32 %n, 1, 0, %q
    st.global.u32 q[%gtid], %n
    exit
)",
                             {.lanes = lanes,
                              .buffers = {{"any", Words(lanes)},
                                          {"wide", Words(lanes)},
                                          {"all", Words(lanes)},
                                          {"same", Words(lanes)},
                                          {"p", Words(lanes)},
                                          {"q", Words(lanes)}}});
    ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << ran.result.trap.message;
    for (unsigned l = 0; l < lanes; ++l) {
      std::uint64_t expected = 0;
      for (unsigned other = l % 3; other < lanes; other += 3) expected |= std::uint64_t{1} << other;
      EXPECT_EQ(ran.buffer("any")[l], expected) << lanes << " lanes, lane " << l;
      EXPECT_EQ(ran.buffer("wide")[l], expected);
      EXPECT_EQ(ran.buffer("all")[l], 0U);
      EXPECT_EQ(ran.buffer("same")[l], full_mask(lanes));
      EXPECT_EQ(ran.buffer("p")[l], 0U);
      EXPECT_EQ(ran.buffer("q")[l], 1U);
    }
  }
}

// The two halves of the warp, each with its own mask, in one instruction; and lanes that have exited are in no result.
TEST(Meeting, ResultsAreOverTheMembers) {
  const Ran ran = run_text(R"(.kernel k (out sum: s32[], out least: u32[], out match: b32[])
    .reg .b32 %same
    setp.eq.u32 %p, %laneid, 7
    @%p exit
    setp.lt.u32 %low, %laneid, 4
    selp.u32 %mask, 0x0f, 0xf0, %low
    redux.sync.add.s32 %sum, %laneid, %mask
    redux.min.u32 %least, %laneid, %mask
    match.any.sync.b32 %same, 5, %mask
    st.global.u32 sum[%laneid], %sum
    st.global.u32 least[%laneid], %least
    st.global.b32 match[%laneid], %same
    exit
)",
                           {.lanes = 8, .buffers = {{"sum", Words(8)}, {"least", Words(8)}, {"match", Words(8)}}});
  ASSERT_TRUE(ran.result.ok) << ran.result.trap.message;
  EXPECT_EQ(ran.buffer("sum"), (Words{6, 6, 6, 6, 15, 15, 15, 0}));
  EXPECT_EQ(ran.buffer("least"), (Words{0, 0, 0, 0, 4, 4, 4, 0}));
  EXPECT_EQ(ran.buffer("match"), (Words{15, 15, 15, 15, 0x70, 0x70, 0x70, 0}));
}

TEST(Meeting, AMatchMayWriteTheRegisterThatItReads) {
  const Ran ran = run_text(R"(.kernel k (out o: b32[])
    .reg .b32 %v
    and.b32 %v, %laneid, 1
    match.any.sync.b32 %v, %v, 0xf
    st.global.b32 o[%laneid], %v
    exit
)",
                           {.lanes = 4, .buffers = {{"o", Words(4)}}});
  ASSERT_TRUE(ran.result.ok);
  EXPECT_EQ(ran.buffer("o"), (Words{5, 10, 5, 10}));
}

TEST(Meeting, A32BitMatchIsRefusedAt64Lanes) {
  const Ran ran = run_text(".kernel k ()\n.reg .b32 %d\nmatch.any.b32 %d, 1\nexit\n", {.lanes = 64});
  EXPECT_EQ(ran.machine, nullptr);
  EXPECT_EQ(ran.error.code, "L021");
}

TEST(Meeting, BarriersReduceOverTheBlock) {
  for (const unsigned lanes : {4U, 32U, 64U}) {
    const unsigned threads = 3 * lanes - 1;
    const Ran ran = run_text(
        R"(.kernel k (out count: u32[], out flags: u32[])
    setp.lt.u32 %low, %tid.x, 5
    bar.red.popc.u32 %n, 0, %low
    setp.ge.u32 %yes, %tid.x, 0
    barrier.cta.red.and.aligned.pred %all, 3, %yes
    bar.red.and.pred %not_all, 3, !%low
    bar.red.or.pred %any, 0, %low
    bar.red.or.pred %none, 15, !%yes
    st.global.u32 count[%gtid], %n
    selp.u32 %f, 1, 0, %all
    selp.u32 %g, 2, 0, %not_all
    or.b32 %f, %f, %g
    selp.u32 %g, 4, 0, %any
    or.b32 %f, %f, %g
    selp.u32 %g, 8, 0, %none
    or.b32 %f, %f, %g
    st.global.u32 flags[%gtid], %f
    exit
)",
        {.lanes = lanes, .block = {threads, 1, 1}, .buffers = {{"count", Words(threads)}, {"flags", Words(threads)}}});
    ASSERT_TRUE(ran.result.ok) << ran.result.trap.message;
    EXPECT_EQ(ran.buffer("count"), Words(threads, 5));
    EXPECT_EQ(ran.buffer("flags"), Words(threads, 1 + 4));
  }
}

// One program an opcode, one block a line: 64 threads in one warp, in two and in four.
TEST(Meeting, BarriersReduceToTheBitsOfTheCapture) {
  ASSERT_EQ(tests::captured_barriers().size(), 3U) << "cannot read the captures in tests/data";
  for (const auto& [opcode, lines] : tests::captured_barriers()) {
    for (const unsigned lanes : {16U, 32U, 64U}) {
      RunSetup setup{.lanes = lanes, .block = {64, 1, 1}};
      setup.grid = {static_cast<std::uint32_t>(lines.size()), 1, 1};
      for (const tests::ScalarVector* v : lines) {
        for (unsigned t = 0; t < 64; ++t) setup.buffers["p"].push_back(v->operands[0] >> t & 1);
      }
      setup.buffers["o"].resize(64 * lines.size());
      const bool of_predicates = opcode.ends_with(".pred");
      const Ran ran = run_text(
          ".kernel k (in p: u32[], out o: u32[])\nld.global.u32 %v, p[%gtid]\n"
          "setp.ne.u32 %p, %v, 0\n" +
              opcode + (of_predicates ? " %q" : " %r") + ", 1, 64, %p\n" +
              (of_predicates ? "selp.u32 %r, 1, 0, %q\n" : "") + "st.global.u32 o[%gtid], %r\nexit\n",
          setup);
      ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << ran.result.trap.message;
      for (std::size_t t = 0; t < 64 * lines.size(); ++t)
        EXPECT_EQ(ran.buffer("o")[t], lines[t / 64]->result) << opcode << ", line " << lines[t / 64]->line;
    }
  }
}

// The lanes of a warp may diverge: those of one path have one predicate, those of the other another.
TEST(Meeting, BarriersReduceOverDivergedWarpsAndWithoutThoseThatExited) {
  const Ran ran = run_text(R"(.kernel k (out count: u32[])
    setp.eq.u32 %gone, %tid.x, 1
    @%gone exit
    setp.lt.u32 %low, %laneid, 2
    setp.eq.u32 %true, %tid.x, %tid.x
    @%low bra side
    bar.red.popc.u32 %n, 1, %true
    bra meet
side: bar.red.popc.u32 %n, 1, !%true
meet: st.global.u32 count[%tid.x], %n
    exit
)",
                           {.lanes = 4, .block = {8, 1, 1}, .buffers = {{"count", Words(8)}}});
  ASSERT_TRUE(ran.result.ok) << ran.result.trap.message;
  EXPECT_EQ(ran.buffer("count"), (Words{4, 0, 4, 4, 4, 4, 4, 4}));
}

TEST(Meeting, ACountedReductionIsOverTheWarpsThatCome) {
  const Ran ran = run_text(R"(.kernel k (out count: u32[])
    setp.ge.u32 %other, %tid.x, 8
    @%other exit
    setp.ne.u32 %p, %tid.x, 3
    bar.red.popc.u32 %n, 2, 8, %p
    st.global.u32 count[%tid.x], %n
    exit
)",
                           {.lanes = 4, .block = {12, 1, 1}, .buffers = {{"count", Words(12)}}});
  ASSERT_TRUE(ran.result.ok) << ran.result.trap.message;
  EXPECT_EQ(ran.buffer("count"), (Words{7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 0, 0}));
}

TEST(Meeting, DifferentOperationsAtOneBarrierDoNotMeet) {
  const Ran ran = run_text(R"(.kernel k ()
    setp.lt.u32 %p, %tid.x, 4
    @%p bra first
    bar.sync 0
    exit
first: bar.red.popc.u32 %n, 0, %p
    exit
)",
                           {.lanes = 4, .block = {8, 1, 1}});
  EXPECT_FALSE(ran.result.ok);
  EXPECT_EQ(ran.result.trap.kind, TrapKind::Deadlock);
}

// The event of a reduction comes when all have come, with its result.
TEST(Meeting, TheTraceOfAReductionHasItsResultAndItsUndefinedness) {
  Checker checker;
  RecorderOptions options;
  options.checker = &checker;
  Recorder recorder(options);
  const Ran ran = run_text(R"(.kernel k ()
    setp.eq.u32 %second, %tid.x, 5
    @%second setp.eq.u32 %p, %tid.x, 5
    setp.lt.u32 %q, %tid.x, 5
    bar.red.popc.u32 %n, 0, %q
    bar.red.popc.u32 %u, 0, %p
    membar.gl
    fence.acq_rel.gpu
    nanosleep.u32 100
    exit
)",
                           {.lanes = 4, .block = {8, 1, 1}, .sinks = {&checker, &recorder}});
  ASSERT_TRUE(ran.result.ok) << ran.result.trap.message;
  const Trace trace = recorder.take();
  int reductions = 0;
  for (const TraceEvent& event : trace.events) {
    if (event.pc > 4) {
      EXPECT_TRUE(event.writes.empty() && !event.memory);
    } else if (event.pc == 4) {
      EXPECT_EQ(event.writes.at(0).undefined, 0xfU) << "warp " << event.warp;
    } else if (event.pc == 3) {
      EXPECT_EQ(event.writes.at(0).bits, Words(4, 5));
      EXPECT_EQ(event.writes.at(0).undefined, 0U);
    }
    reductions += event.pc == 3 || event.pc == 4 ? 1 : 0;
  }
  EXPECT_EQ(reductions, 4);
  ASSERT_EQ(trace.outcome.findings.size(), 1U);
  EXPECT_EQ(trace.outcome.findings[0].message.substr(0, 30), "`%p` holds nothing defined on ");
}

}  // namespace
}  // namespace warpsim
