// `warpsim stats TRACE`: the numbers of a run from its trace, beside those that were counted as it ran.
#include "traces/replay/trace_statistics.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "sim/statistics/statistics.h"
#include "tests/support/every_run.h"
#include "tests/support/small_profile.h"
#include "tools/report/statistics_text.h"
#include "traces/io/reader.h"
#include "traces/io/writer.h"
#include "traces/record/recorder.h"

namespace warpsim {
namespace {

using tools::statistics_json;
using tools::statistics_text;
using tools::TimedRun;

TEST(TraceStatistics, AreTheNumbersOfTheRun) {
  int timed_runs = 0, runs = 0;
  testing::for_each_launch({4, 32}, [&](const Lesson& program, const PreparedCase& prepared) {
    SCOPED_TRACE(program.full_name() + ", " + prepared.name);
    auto profile = std::make_shared<TimingProfile>(testing::small_profile());
    profile->title = profile->name;  // all that a trace has of it
    LaunchConfig config = prepared.config;
    if (++runs % 2 == 0) {
      ++timed_runs;
      config.timing = profile;
      config.max_cycles *= 1000;
    }
    RecorderOptions options;
    options.lesson = &program;
    Recorder recorder(options);
    StatisticsCounter counter;
    testing::outputs_of(program, config, prepared.arguments, {&counter, &recorder});
    const std::variant<Trace, JsonError> read = read_trace(to_ndjson(recorder.take()));
    ASSERT_TRUE(std::holds_alternative<Trace>(read));
    const Trace& trace = std::get<Trace>(read);
    EXPECT_EQ(TraceStatistics::reason_against(trace.head), "");
    TraceStatistics from_trace;
    from_trace.head(trace.head);
    for (const TraceEvent& event : trace.events) from_trace.event(event);
    from_trace.outcome(trace.outcome);
    const std::vector<TimedRun> counted{{config.timing.get(), counter.statistics()}};
    const std::vector<TimedRun> told{{from_trace.profile(), from_trace.statistics()}};
    EXPECT_EQ(statistics_json(trace.head, told), statistics_json(trace.head, counted));
    EXPECT_EQ(statistics_text(trace.head, told), statistics_text(trace.head, counted));
  });
  EXPECT_GT(timed_runs, 50);
}

TEST(TraceStatistics, OfAPartOrOfAGpuThereAreNone) {
  TraceHead head;
  EXPECT_EQ(TraceStatistics::reason_against(head), "");
  head.start.emplace();
  EXPECT_NE(TraceStatistics::reason_against(head).find("a part of a run"), std::string::npos);
  head.start.reset();
  head.backend = "NVIDIA H200";
  EXPECT_NE(TraceStatistics::reason_against(head).find("NVIDIA H200"), std::string::npos);
}

}  // namespace
}  // namespace warpsim
