// The observers of a run: with --check off, undefined values are followed only for a trace.
#include <gtest/gtest.h>

#include "isa/assembly/assembler.h"
#include "sim/machine/machine.h"
#include "tools/session/loading.h"
#include "traces/io/writer.h"

namespace warpsim::tools {
namespace {

// Lanes 2 and 3 store what they have never written.
Lesson half_written() {
  return *assemble(R"(.kernel half (out o: u32[n], param n: u32 = WARP_SZ)
        setp.lt.u32     %p, %laneid, 2
        @%p mov.u32     %x, 5
        add.u32         %y, %x, 1
        st.global.u32   o[%laneid], %y
        exit
)",
                   "half.warp")
              .lesson();
}

struct OneRun {
  explicit OneRun(const Lesson& program)
      : lesson(program),
        prepared(std::get<PreparedCase>(prepare_case(program, Case{}, {}))),
        machine(std::get<Machine>(Machine::create(program, prepared.config, prepared.arguments))) {}
  const Lesson& lesson;
  PreparedCase prepared;
  Machine machine;
};

Trace trace_of(const Lesson& program, bool checks) {
  OneRun run(program);
  Watchers watchers(run.lesson, run.prepared, checks, std::nullopt, true);
  run.machine.run(watchers.sinks({}));
  return watchers.recorder.take();
}

TEST(Watchers, WithCheckOffUndefinedValuesAreNotFollowed) {
  const Lesson program = half_written();
  OneRun run(program);
  Watchers watchers(run.lesson, run.prepared, false, no_events(), false);
  EXPECT_FALSE(watchers.checker.has_value());
  EXPECT_FALSE(watchers.recorder.follows_undefined());
  EXPECT_EQ(watchers.sinks({}), std::vector<EventSink*>{&watchers.recorder});
  run.machine.run(watchers.sinks({}));
  for (std::size_t pc = 0; pc < program.code.size(); ++pc)
    EXPECT_FALSE(watchers.recorder.watches(static_cast<std::int32_t>(pc))) << pc;
  EXPECT_TRUE(watchers.recorder.trace().outcome.undefined.empty());
}

TEST(Watchers, TheCheckerIsAskedWhereItIsAttached) {
  const Lesson program = half_written();
  OneRun run(program);
  Watchers watchers(run.lesson, run.prepared, true, no_events(), false);
  ASSERT_TRUE(watchers.checker.has_value());
  EXPECT_FALSE(watchers.recorder.follows_undefined()) << "twice the work";
  run.machine.run(watchers.sinks({}));
  const TraceOutcome& outcome = watchers.recorder.trace().outcome;
  ASSERT_EQ(outcome.findings.size(), 1U);
  EXPECT_EQ(outcome.findings[0].code, Finding::NeverWritten);
  ASSERT_EQ(outcome.undefined.size(), 1U);
  EXPECT_EQ(outcome.undefined[0].index.size(), run.machine.lanes() - 2U);
}

// A trace marks what is undefined in both cases; only the findings differ.
TEST(Watchers, ATraceMarksWhatIsUndefinedWithCheckOff) {
  const Lesson program = half_written();
  Trace unchecked = trace_of(program, false), checked = trace_of(program, true);
  EXPECT_TRUE(unchecked.outcome.findings.empty());
  EXPECT_EQ(checked.outcome.findings.size(), 1U);
  EXPECT_EQ(unchecked.outcome.undefined.size(), 1U);
  checked.outcome.findings.clear();
  checked.outcome.ok = unchecked.outcome.ok;
  EXPECT_EQ(to_json(unchecked), to_json(checked));
  EXPECT_EQ(unchecked.events.at(2).writes.at(0).undefined, full_mask(unchecked.head.lanes) & ~LaneMask{0b11});
}

}  // namespace
}  // namespace warpsim::tools
