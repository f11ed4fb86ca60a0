// What a schedule may permute, what it must not, and that poison shows what depends on something undefined.
//
// Source: sim/README.md, "Schedules"; PTX ISA 9.0, "Memory Consistency Model": the order of warps, and of the lanes of
//         one instruction at one address, is open.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/every_run.h"
#include "tests/support/record_text.h"
#include "traces/io/reader.h"
#include "traces/io/writer.h"
#include "traces/replay/dataflow.h"
#include "traces/replay/memory_state.h"

namespace warpsim {
namespace {

using testing::Ran;
using testing::run_text;
using testing::RunSetup;
using Words = std::vector<std::uint64_t>;

Schedule fuzz(std::uint64_t seed) { return fuzz_schedule(seed); }

// Each lane takes a ticket; the last store to `last` stays.
constexpr const char* kTickets = R"(.kernel k (inout counter: u32[1], out ticket: u32[], out last: u32[1])
    atom.global.add.u32 %t, counter[0], 1
    st.global.u32 ticket[%gtid], %t
    st.global.u32 last[0], %gtid
    exit
)";

RunSetup tickets(unsigned lanes, unsigned warps, Schedule schedule) {
  return {.lanes = lanes,
          .block = {lanes * warps, 1, 1},
          .buffers = {{"counter", {0}}, {"ticket", Words(std::size_t{lanes} * warps)}, {"last", {0}}},
          .schedule = schedule};
}

TEST(Schedule, InTurnLanesTakeEffectInRisingOrder) {
  const Ran ran = run_text(kTickets, tickets(8, 1, {}));
  EXPECT_EQ(ran.buffer("ticket"), (Words{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(ran.buffer("last")[0], 7U);
  EXPECT_EQ(name(Schedule{}), "rr");
  EXPECT_EQ(name(fuzz(7)), "fuzz:7");
}

TEST(Schedule, TheLanesOfAnAtomicAndOfStoresToOneAddressTakeAnyOrder) {
  std::set<Words> orders;
  std::set<std::uint64_t> last;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Ran ran = run_text(kTickets, tickets(4, 1, fuzz(seed)));
    ASSERT_TRUE(ran.result.ok);
    Words sorted = ran.buffer("ticket");
    orders.insert(sorted);
    last.insert(ran.buffer("last")[0]);
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, (Words{0, 1, 2, 3})) << "each ticket once";
  }
  EXPECT_GE(orders.size(), 16U) << "of 24";
  EXPECT_EQ(last, (std::set<std::uint64_t>{0, 1, 2, 3}));
}

TEST(Schedule, WarpsOvertakeEachOther) {
  std::set<std::uint64_t> first, last;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Words ticket = run_text(kTickets, tickets(1, 4, fuzz(seed))).buffer("ticket");
    first.insert(static_cast<std::uint64_t>(std::find(ticket.begin(), ticket.end(), 0) - ticket.begin()));
    last.insert(static_cast<std::uint64_t>(std::find(ticket.begin(), ticket.end(), 3) - ticket.begin()));
  }
  EXPECT_EQ(first.size(), 4U) << "every warp comes first sometimes";
  EXPECT_EQ(last.size(), 4U);
}

// Mostly a warp continues in the next cycle, sometimes a little later, rarely much.
TEST(Schedule, WarpsPause) {
  struct Gaps : EventSink {
    void on_issue(const IssueEvent& event) override {
      const std::uint64_t gap = event.cycle - last - 1;
      (gap == 0 ? none : gap < 10 ? few : many) += last != 0 ? 1 : 0;
      last = event.cycle;
    }
    std::uint64_t last = 0;
    int none = 0, few = 0, many = 0;
  } gaps;
  const std::string text = R"(.kernel k ()
    mov.u32 %n, 0
again: add.u32 %n, %n, 1
    setp.lt.u32 %more, %n, 1000
    @%more bra again
    exit
)";
  const Ran ran = run_text(text, {.lanes = 4, .sinks = {&gaps}, .schedule = fuzz(1)});
  ASSERT_TRUE(ran.result.ok);
  EXPECT_EQ(gaps.none + gaps.few + gaps.many, 3001);
  EXPECT_GT(gaps.none, 2400);
  EXPECT_GT(gaps.few, 150);
  EXPECT_GT(gaps.many, 5);
  EXPECT_LT(gaps.many, 80);
}

// The paths of a branch store one after the other, in either order.
TEST(Schedule, GroupsOfAWarpTakeAnyTurn) {
  const std::string text = R"(.kernel k (out who: u32[1])
    setp.eq.u32 %one, %laneid, 0
    @%one bra there
    st.global.u32 who[0], 1
    bra on
there: st.global.u32 who[0], 2
on: exit
)";
  for (const Reconvergence mode : {Reconvergence::Stack, Reconvergence::Independent}) {
    std::set<std::uint64_t> who;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      who.insert(run_text(text, {.lanes = 2, .buffers = {{"who", {0}}}, .reconvergence = mode, .schedule = fuzz(seed)})
                     .buffer("who")[0]);
    EXPECT_EQ(who, (std::set<std::uint64_t>{1, 2}));
  }
}

// Cycles rise by warp, events are in order; a replay finds what the run left.
TEST(Schedule, TheTraceIsATrace) {
  for (const Reconvergence mode : {Reconvergence::Stack, Reconvergence::Independent}) {
    for (std::uint64_t seed = 1; seed < 9; ++seed) {
      RunSetup setup = tickets(8, 3, fuzz(seed));
      setup.reconvergence = mode;
      const Trace trace = testing::record_text(kTickets, setup);
      EXPECT_EQ(trace.head.version, "1.2");
      EXPECT_EQ(trace.head.schedule, name(fuzz(seed)));
      const std::string text = to_ndjson(trace);
      EXPECT_EQ(text, to_ndjson(testing::record_text(kTickets, setup))) << "the same seed, the same bytes";
      const std::variant<Trace, JsonError> read = read_trace(text);
      ASSERT_TRUE(std::holds_alternative<Trace>(read)) << std::get<JsonError>(read).message;
      const Trace& back = std::get<Trace>(read);
      EXPECT_EQ(to_ndjson(back), text);
      TraceMemoryState memory(back.head);
      for (const TraceEvent& event : back.events) memory.apply(event);
      for (const auto& [output, array] : back.outcome.outputs) {
        std::size_t param = 0;
        while (back.head.params[param].name != output) ++param;
        EXPECT_EQ(memory.buffer(param).values.bits, array.bits) << output;
      }
    }
  }
  const Trace plain = testing::record_text(kTickets, tickets(8, 3, {}));
  EXPECT_EQ(plain.head.version, "1.0");
  for (const TraceEvent& event : plain.events) EXPECT_TRUE(!event.memory || event.memory->order.empty());
}

// A lane's ticket comes from the lane that had the one before it.
TEST(Schedule, WhereAValueCameFromFollowsTheOrder) {
  const Trace trace = testing::record_text(kTickets, tickets(8, 1, fuzz(3)));
  ASSERT_TRUE(trace.events.at(0).memory);
  const TraceMemory& memory = *trace.events[0].memory;
  ASSERT_EQ(memory.order.size(), 8U);
  ASSERT_FALSE(std::is_sorted(memory.order.begin(), memory.order.end()));
  const Dataflow flow(trace);
  const std::int32_t reg = trace.events[0].writes.at(0).reg;
  for (std::size_t k = 1; k < 8; ++k) {
    const std::vector<FlowSource> sources = flow.sources({0, memory.order[k], reg, 0});
    const bool from_before = std::any_of(sources.begin(), sources.end(), [&](const FlowSource& source) {
      return source.kind == FlowSource::Kind::Value && source.value.event == 0 &&
             source.value.lane == memory.order[k - 1];
    });
    EXPECT_TRUE(from_before) << "turn " << k;
  }
}

TEST(Schedule, AnOrderThatIsNoneIsRefused) {
  std::string text = to_ndjson(testing::record_text(kTickets, tickets(2, 1, fuzz(1))));
  for (std::uint64_t seed = 1; text.find("\"order\": [1, 0]") == std::string::npos; ++seed)
    text = to_ndjson(testing::record_text(kTickets, tickets(2, 1, fuzz(seed))));
  for (const std::string wrong : {"[1, 1]", "[0, 2]", "[1]"}) {
    std::string bad = text;
    bad.replace(bad.find("[1, 0]", bad.find("\"order\"")), 6, wrong);
    EXPECT_TRUE(std::holds_alternative<JsonError>(read_trace(bad))) << wrong;
  }
}

// Watched or not, it is the same run; and what a program says is expected it gives on every schedule.
TEST(Schedule, EveryProgramGivesWhatItsCaseExpects) {
  std::uint64_t seed = 0;
  const int launches =
      testing::for_each_launch({4, 8, 32}, [&seed](const Program& program, const PreparedCase& prepared) {
        LaunchConfig config = prepared.config;
        config.schedule = fuzz(++seed);
        config.reconvergence = seed % 2 == 0 ? Reconvergence::Independent : Reconvergence::Stack;
        SCOPED_TRACE(name(config.schedule));
        EventSink sink;
        testing::Outputs plain = testing::outputs_of(program, config, prepared.arguments);
        testing::Outputs watched = testing::outputs_of(program, config, prepared.arguments, {&sink});
        EXPECT_TRUE(plain.result.ok) << english(plain.result.trap.message);
        EXPECT_EQ(plain.result.cycles, watched.result.cycles);
        EXPECT_TRUE(plain.arrays == watched.arrays);
        testing::Outputs expected;
        expected.arrays = prepared.expected;
        testing::sort_unordered(program, plain);
        testing::sort_unordered(program, expected);
        for (const auto& [output, array] : prepared.expected)
          EXPECT_TRUE(plain.arrays[output] == expected.arrays[output]) << output;
      });
  EXPECT_GT(launches, 900);
}

// ---- poison

TEST(Poison, WhatIsUndefinedHoldsBitsDrawnFromIt) {
  const std::string text =
      R"(.kernel k (out never: u32[], out shared: u32[], out gone: u32[], out half: u16[], out zero: u32[])
.shared u32 tile[64]
    setp.lt.u32 %low, %laneid, 0
    @%low mov.u32 %x, 1
    @%low mov.u16 %h, 1
    st.global.u32 never[%laneid], %x
    st.global.u16 half[%laneid], %h
    ld.shared.u32 %y, tile[%laneid]
    st.global.u32 shared[%laneid], %y
    setp.ge.u32 %leaves, %laneid, WARP_SZ / 2
    @%leaves exit
    xor.b32 %other, %laneid, WARP_SZ / 2
    shfl.idx.b32 %z, %laneid, %other
    st.global.u32 gone[%laneid], %z
    exit
)";
  for (const unsigned lanes : {4U, 64U}) {
    const auto run = [&](std::uint64_t poison) {
      const Ran ran = run_text(text, {.lanes = lanes,
                                      .buffers = {{"never", Words(lanes)},
                                                  {"shared", Words(lanes)},
                                                  {"gone", Words(lanes)},
                                                  {"half", Words(lanes)},
                                                  {"zero", Words(lanes)}},
                                      .poison = poison});
      EXPECT_TRUE(ran.result.ok);
      return ran;
    };
    const Ran clean = run(0), one = run(1), again = run(1), other = run(2);
    for (const std::string buffer : {"never", "shared", "gone", "half"}) {
      EXPECT_EQ(clean.buffer(buffer), Words(lanes)) << buffer;
      EXPECT_NE(one.buffer(buffer), clean.buffer(buffer)) << buffer;
      EXPECT_NE(one.buffer(buffer), other.buffer(buffer)) << buffer;
      EXPECT_EQ(one.buffer(buffer), again.buffer(buffer)) << buffer;
      EXPECT_NE(one.buffer(buffer)[0], one.buffer(buffer)[1]) << buffer;
    }
    EXPECT_EQ(one.buffer("zero"), Words(lanes)) << "an out buffer starts as zeros";
  }
}

// A predicate that was never set sends some lanes down one path, some down the other.
TEST(Poison, PredicatesToo) {
  const std::string text = R"(.kernel k (out o: u32[])
    setp.lt.u32 %never, %laneid, 0
    @%never setp.eq.u32 %p, %laneid, 0
    selp.u32 %v, 1, 0, %p
    st.global.u32 o[%laneid], %v
    exit
)";
  std::set<std::uint64_t> seen;
  for (const std::uint64_t v : run_text(text, {.lanes = 32, .buffers = {{"o", Words(32)}}, .poison = 5}).buffer("o"))
    seen.insert(v);
  EXPECT_EQ(seen.size(), 2U);
}

TEST(Poison, NoProgramDependsOnSomethingUndefined) {
  std::uint64_t poison = 0;
  testing::for_each_launch({4, 8, 32}, [&poison](const Program& program, const PreparedCase& prepared) {
    LaunchConfig config = prepared.config;
    config.poison = ++poison * 0x123456789;
    const testing::Outputs out = testing::outputs_of(program, config, prepared.arguments);
    EXPECT_TRUE(out.result.ok) << english(out.result.trap.message);
    for (const auto& [output, array] : prepared.expected) EXPECT_TRUE(out.arrays.at(output) == array) << output;
  });
}

}  // namespace
}  // namespace warpsim
