// Time in traces: stalls and sub-cores written, read, refused where they contradict themselves, compared and put into
// words.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/statistics/statistics.h"
#include "tests/support/every_program.h"
#include "tests/support/every_run.h"
#include "tests/support/sanitized.h"
#include "tests/support/small_profile.h"
#include "tests/traces/record/timed_trace.h"
#include "traces/compare/compare.h"
#include "traces/export/export_timing.h"
#include "traces/io/reader.h"
#include "traces/io/window.h"
#include "traces/io/writer.h"
#include "traces/profile/builtin_profiles.h"
#include "traces/record/recorder.h"
#include "traces/sentence/sentence.h"
#include "traces/sentence/stall_text.h"

namespace warpsim {
namespace {

using testing::timed_trace;

std::string read_again(const std::string& text) {
  const std::variant<Trace, JsonError> read = read_trace(text);
  if (const JsonError* error = std::get_if<JsonError>(&read)) return render(*error, "t.json");
  return to_json(std::get<Trace>(read));
}

// The event at a pc of a warp, to be changed.
TraceEvent& at(Trace& trace, std::uint32_t warp, std::int32_t pc) {
  for (TraceEvent& event : trace.events)
    if (event.warp == warp && event.pc == pc) return event;
  ADD_FAILURE() << "no such event";
  return trace.events.front();
}

TEST(TimedTrace, IsWrittenAsTheFormatSaysAndReadBack) {
  Trace trace = timed_trace();
  const std::string document = to_json(trace);
  EXPECT_NE(document.find("\"version\": \"1.3\""), std::string::npos);
  EXPECT_NE(document.find(R"("machine": {"lanes": 4, "reconvergence": "stack", "profile": "h200", "scheduler": "gto", )"
                          R"("sub_cores": 4})"),
            std::string::npos);
  EXPECT_EQ(to_json(at(trace, 0, 2), trace.head),
            R"({"cycle": 55, "block": 0, "warp": 0, "pc": 2, "op": "add", "active": "0x0000000f", "writes": )"
            R"([{"reg": "%x", "lanes": "0x0000000f", "values": [1, 1, 5, 5]}], "sub_core": 0, "stalls": )"
            R"([{"reason": "dependency", "cycles": 23, "register": "%y", "pc": 1}]})");
  EXPECT_NE(document.find(R"("sub_core": 0, "stalls": [{"reason": "barrier", "cycles": 10, "pc": 3}, )"
                          R"({"reason": "unit", "cycles": 2, "pipe": "lsu"}]})"),
            std::string::npos);
  EXPECT_EQ(read_again(document), document);
  EXPECT_EQ(read_again(to_ndjson(trace)), document);
}

// A later version may have reasons, and codes of findings, that this one does not know.
TEST(TimedTrace, UnknownWordsAreKeptAndKnownOnesAreFacts) {
  Trace trace = timed_trace();
  at(trace, 0, 1).stalls[0].reason = OpenWord<Stall::Reason>("fetch");
  trace.outcome.findings.resize(2);
  for (TraceFinding& finding : trace.outcome.findings) finding.kind = "finding";
  trace.outcome.findings[0].code = Finding::NeverWritten;
  trace.outcome.findings[1].code = OpenWord<Finding>("WS9999");
  const auto result = read_trace(to_json(trace));
  ASSERT_TRUE(std::holds_alternative<Trace>(result)) << std::get<JsonError>(result).message;
  Trace back = std::get<Trace>(result);
  EXPECT_EQ(at(back, 0, 1).stalls[0].reason.known, std::nullopt);
  EXPECT_EQ(at(back, 0, 1).stalls[0].reason.word, "fetch");
  EXPECT_EQ(at(back, 0, 2).stalls[0].reason, Stall::Reason::Dependency);
  EXPECT_EQ(back.outcome.findings[0].code, Finding::NeverWritten);
  EXPECT_EQ(back.outcome.findings[1].code.known, std::nullopt);
  EXPECT_EQ(back.outcome.findings[1].code.word, "WS9999");
}

TEST(TimedTrace, AWindowIsOneToo) {
  WindowOptions middle;
  middle.from = 56;
  const Trace window = window_of(timed_trace(), middle);
  EXPECT_EQ(window.head.version, "1.3");
  EXPECT_EQ(window.events.size(), 7U);
  EXPECT_EQ(read_again(to_json(window)), to_json(window));
}

TEST(TimedTrace, StallsFillTheTimeBetweenTwoInstructions) {
  Trace trace = timed_trace();
  at(trace, 1, 2).stalls[0].cycles = 22;
  EXPECT_EQ(read_again(to_json(trace)),
            "t.json: error[J018]: at /events/6: the warp waited 22 cycles, but there are 23 cycles between this "
            "instruction and its last one, in cycle 33\n  try: the stalls of an event are the cycles since its warp "
            "issued last\n");
  trace = timed_trace();
  at(trace, 1, 0).stalls[0].cycles = 2;
  EXPECT_EQ(read_again(to_json(trace)),
            "t.json: error[J018]: at /events/1: the warp waited 2 cycles in the 1 cycle before its first instruction\n"
            "  try: the stalls of an event are the cycles since its warp issued last\n");
  trace = timed_trace();
  at(trace, 1, 0).stalls.clear();  // its block came in cycle 2
  EXPECT_EQ(read_again(to_json(trace)), to_json(trace));
}

TEST(TimedTrace, NamesWhatThereIs) {
  const std::string document = to_json(timed_trace());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = document;
    const std::size_t found = text.find(from);
    EXPECT_NE(found, std::string::npos) << from;
    return read_again(text.replace(found, from.size(), to));
  };
  EXPECT_EQ(with("\"register\": \"%y\"", "\"register\": \"%z\""),
            "t.json: error[J011]: at /events/4/stalls/0/register: the program has no register \"%z\"\n");
  EXPECT_NE(
      with("\"cycles\": 10, \"pc\": 3", "\"cycles\": 10, \"pc\": 6").find("error[J006]: at /events/8/stalls/0/pc"),
      std::string::npos);
  EXPECT_NE(with("\"cycles\": 29", "\"cycles\": 0").find("error[J006]"), std::string::npos);
  EXPECT_NE(with("\"sub_core\": 1", "\"core\": 1").find("error[J005]: at /events/1"), std::string::npos);
  EXPECT_NE(with(", \"sub_cores\": 4", "").find("error[J005]: at /machine"), std::string::npos);
}

TEST(TimedTrace, ComparesTimeOnlyWhereItIsTheSameClock) {
  const Trace trace = timed_trace(), lockstep = testing::text_trace(testing::kTimedProgram, 4);
  EXPECT_EQ(first_difference(trace, trace), std::nullopt);
  EXPECT_EQ(first_difference(trace, lockstep), std::nullopt);
  Trace other = timed_trace();
  at(other, 0, 4).stalls[1].pipe = "mio";
  EXPECT_EQ(
      first_difference(trace, other),
      "cycle 70, block 0, warp 0, pc 4 st.global: waited 2 cycles: unit lsu, the other waited 2 cycles: unit mio");
  other = timed_trace();
  at(other, 0, 2).stalls[0].cycles = 22;
  EXPECT_EQ(first_difference(other, trace),
            "cycle 55, block 0, warp 0, pc 2 add: waited 22 cycles: dependency %y of pc 1, the other waited 23 cycles: "
            "dependency %y of pc 1");
  other = timed_trace();
  at(other, 1, 2).writes[0].bits[3] = 7;
  EXPECT_EQ(first_difference(lockstep, other),
            "block 0, warp 1, pc 2 add, execution 1: lane 3 holds 13, the other holds 7");
}

TEST(TimedTrace, SentencesSayWhatWasWaitedFor) {
  Trace trace = timed_trace();
  EXPECT_EQ(sentence(trace.head, at(trace, 0, 2)),
            "Cycle 55, warp 0: add(x, y): lane 0 gets x = 1; 4 lanes active; waited 23 cycles for %y (line 3: "
            "shfl.bfly)");
  EXPECT_EQ(sentence(trace.head, at(trace, 0, 2), Language::Korean),
            "사이클 55, Warp 0: add(x, y): Lane 0에서 x = 1; 활성 Lane 4개; 23사이클 대기: %y (3행: shfl.bfly)");
  EXPECT_EQ(waited_text(trace.head, at(trace, 0, 0)), "");
  EXPECT_EQ(waited_text(trace.head, at(trace, 0, 1)), "waited 29 cycles for %x from memory (line 2: ld.global)");
  EXPECT_EQ(waited_text(trace.head, at(trace, 0, 3)), "waited 1 cycle for its last instruction to issue");
  EXPECT_EQ(waited_text(trace.head, at(trace, 1, 4)),
            "waited 13 cycles: 11 for other warps at the barrier (line 5: bar), 1 for the pipe lsu, 1 for its turn");
  EXPECT_EQ(waited_text(trace.head, at(trace, 1, 4), Language::Korean),
            "13사이클 대기: 배리어의 다른 Warp (5행: bar) 11, 파이프 lsu 1, 차례 1");
  at(trace, 0, 3).stalls[0].reason = OpenWord<Stall::Reason>("fetch");  // of a later version
  EXPECT_EQ(waited_text(trace.head, at(trace, 0, 3)), "waited 1 cycle for fetch");
}

// Every reason that the machine has exists in both languages.
TEST(TimedTrace, EveryReasonHasItsWords) {
  const Trace trace = timed_trace();
  for (int k = 0; k < kStallReasonCount; ++k) {
    const std::string reason(name(static_cast<Stall::Reason>(k)));
    ASSERT_NE(reason, "");
    const TraceStall stall{static_cast<Stall::Reason>(k), 1, -1, -1, "p"};
    EXPECT_NE(stall_text(trace.head, stall), "for " + reason);
    EXPECT_NE(stall_text(trace.head, stall, Language::Korean), reason);
    EXPECT_NE(korean_name(static_cast<Stall::Reason>(k)), reason);
  }
}

// ---- of the machine

// The timelines' sub-cores have no eligible warp for as long as the statistics say, which the machine itself reported.
void expect_idle_as_counted(const Trace& timed, const Statistics& statistics) {
  NoneEligible none_eligible;
  none_eligible.head(timed.head);
  std::map<std::int32_t, std::uint64_t> idle;
  for (const TraceEvent& event : timed.events)
    if (const auto gap = none_eligible.note(event)) idle[event.sub_core] += gap->end - gap->begin;
  for (const auto& [number, one] : statistics.sub_cores)
    EXPECT_EQ(idle[static_cast<std::int32_t>(number)], one.none_eligible) << "sub-core " << number;
}

// The run under a profile; null: in lockstep. `others` watch it, too.
Trace recorded(const Lesson& program, const PreparedCase& prepared, std::shared_ptr<const TimingProfile> timing,
               std::vector<EventSink*> others = {}) {
  LaunchConfig config = prepared.config;
  config.timing = std::move(timing);
  if (config.timing) config.max_cycles *= 1000;
  RecorderOptions options;
  options.lesson = &program;
  Recorder recorder(options);
  others.push_back(&recorder);
  testing::outputs_of(program, config, prepared.arguments, others);
  return recorder.take();
}

// What it says of time, the reader takes: stalls add up, names are there, and nothing else changes but the cycles.
TEST(TimedTrace, OfEveryProgram) {
  int turn = 0, launches = 0;
  testing::for_each_launch({8}, [&](const Lesson& program, const PreparedCase& prepared) {
    if (!prepared.findings.empty() || (testing::kSanitized && launches++ % 4 != 0)) return;
    StatisticsCounter counter;
    TimingProfile profile = testing::small_profile();
    profile.scheduler = static_cast<Scheduler>(turn++ % 3);
    const Trace timed = recorded(program, prepared, std::make_shared<TimingProfile>(profile), {&counter});
    EXPECT_EQ(timed.head.profile, "small");
    EXPECT_EQ(timed.head.scheduler, name(profile.scheduler));
    if (!timed.outcome.trap) expect_idle_as_counted(timed, counter.statistics());
    const std::string records = to_ndjson(timed);
    EXPECT_EQ(read_again(records), to_json(timed));
    if (program.unordered.empty()) {
      EXPECT_EQ(first_difference(recorded(program, prepared, nullptr), timed), std::nullopt);
    }
  });
  EXPECT_GT(turn, testing::kSanitized ? 25 : 100);
}

// A profile under which some instructions leave a barrier before others do, at 1 to 32 warps, three of the counts for
// each program in turn: the order of cycles holds, and nothing else changes but the cycles.
TEST(TimedTrace, KeepsItsOrderBehindBarriers) {
  constexpr unsigned kLanes = 8;
  const auto h200 = std::make_shared<const TimingProfile>(builtin_profile("h200")->bounds.front());
  const unsigned warps[] = {1, 2, 32, 3, 4, 16, 8, 5, 31};
  std::size_t turn = 0, runs = 0;
  for (const std::string& name : testing::all_program_names()) {
    const Assembled assembled = testing::assemble_program(name);
    ASSERT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
    const Lesson& program = *assembled.lesson();
    for (int k = 0; k < 3; ++k) {
      CaseOverrides overrides;
      overrides.lanes = kLanes;
      overrides.block = Dim3{kLanes * warps[turn++ % std::size(warps)]};
      std::variant<PreparedCase, LaunchError> prepared = prepare_case(program, program.cases.at(0), overrides);
      if (!std::holds_alternative<PreparedCase>(prepared)) continue;  // not at 8 lanes, or of a fixed size
      const PreparedCase& one = std::get<PreparedCase>(prepared);
      SCOPED_TRACE(name + ", " + std::to_string(one.config.block.x / kLanes) + " warps");
      const Trace timed = recorded(program, one, h200);
      EXPECT_EQ(read_again(to_ndjson(timed)), to_json(timed));
      if (program.unordered.empty() && !timed.outcome.trap) {
        EXPECT_EQ(first_difference(recorded(program, one, nullptr), timed), std::nullopt);
      }
      ++runs;
    }
  }
  EXPECT_GT(runs, 200U);
}

TEST(TimedTrace, LockstepHasNothingOfIt) {
  const std::string document = to_json(testing::text_trace(testing::kTimedProgram, 4));
  for (const char* word : {"stalls", "sub_core", "scheduler", "1.3"})
    EXPECT_EQ(document.find("\"" + std::string(word)), std::string::npos) << word;
}

// ---- timelines

TEST(WarpSlices, HoldTheWarpUntilTheNextMayIssue) {
  Trace trace = timed_trace();
  WarpSlices slices;
  EXPECT_FALSE(slices.note(at(trace, 0, 0)).end);
  EXPECT_EQ(slices.note(at(trace, 0, 1)).end, 2U);
  WarpSlices::Before before = slices.note(at(trace, 0, 2));
  EXPECT_EQ(before.end, 32U);
  ASSERT_EQ(before.stalls.size(), 1U);
  EXPECT_EQ(before.stalls[0].begin, 32U);
  EXPECT_EQ(before.stalls[0].end, 55U);
  before = slices.note(at(trace, 0, 3));  // the add took two issue slots
  EXPECT_EQ(before.end, 57U);
  EXPECT_TRUE(before.stalls.empty());
  before = slices.note(at(trace, 0, 4));
  EXPECT_EQ(before.end, 58U);
  ASSERT_EQ(before.stalls.size(), 2U);
  EXPECT_EQ(before.stalls[1].begin, 68U);
  EXPECT_EQ(before.stalls[1].end, 70U);
  EXPECT_FALSE(slices.close_if_done(at(trace, 0, 4)));
  EXPECT_EQ(slices.note(at(trace, 0, 5)).end, 71U);
  EXPECT_EQ(slices.close_if_done(at(trace, 0, 5)), 72U);
  EXPECT_TRUE(slices.close_all().empty());
}

// The times are in timed_trace.h.
TEST(NoneEligible, IsFromAnIssueToTheNextWhileAWarpIsThere) {
  const Trace trace = timed_trace();
  NoneEligible none_eligible;
  none_eligible.head(trace.head);
  std::string told[2];
  for (const TraceEvent& event : trace.events)
    if (const auto gap = none_eligible.note(event))
      told[event.sub_core] += std::to_string(gap->begin) + "-" + std::to_string(gap->end) + " ";
  EXPECT_EQ(told[0], "2-31 32-55 56-57 58-70 ");
  EXPECT_EQ(told[1], "1-2 3-33 34-57 59-72 ");
}

// Nobody is there between the end of one warp and the beginning of the next.
TEST(NoneEligible, NeedsAWarp) {
  Trace trace = timed_trace();
  for (TraceEvent& event : trace.events) {
    event.sub_core = 0;
    if (event.warp == 1) event.cycle = *event.cycle + 100;
  }
  NoneEligible none_eligible;
  none_eligible.head(trace.head);
  std::string told;
  for (const TraceEvent& event : trace.events)
    if (event.warp == 0) none_eligible.note(event);
  for (const TraceEvent& event : trace.events)
    if (event.warp != 0)
      if (const auto gap = none_eligible.note(event))
        told += std::to_string(gap->begin) + "-" + std::to_string(gap->end) + " ";
  EXPECT_EQ(told, "101-102 103-133 134-157 159-172 ");
}

TEST(IssueRate, IsReportedWhereItChanges) {
  IssueRate rate;
  std::string told;
  const auto tell = [&](const std::vector<IssueRate::Point>& points) {
    for (const IssueRate::Point& one : points)
      told += std::to_string(one.cycle) + ":" + std::to_string(one.value) + " ";
  };
  for (const std::uint64_t cycle : {2, 2, 3, 3, 4, 9}) tell(rate.note(cycle));
  tell(rate.finish());
  EXPECT_EQ(told, "2:2 4:1 5:0 9:1 10:0 ");
}

}  // namespace
}  // namespace warpsim
