// The traces of all programs, all cases, all lane counts: they come back byte for byte, and hold what FORMAT.md
// promises.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/support/every_program.h"
#include "tests/support/sanitized.h"
#include "traces/compare/compare.h"
#include "traces/io/reader.h"
#include "traces/io/writer.h"

namespace warpsim {
namespace {

template <class Check>
void for_each_trace(Check check) {
  for (const std::string& name : testing::all_program_names()) {
    const Assembled assembled = testing::assemble_program(name);
    ASSERT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
    for (const Case& one : assembled.lesson()->cases) {
      if (one.find(kFindingKey) != nullptr) continue;  // an example of a mistake
      for (const unsigned lanes : lane_counts(*assembled.lesson(), one)) {
        if (testing::kSanitized && lanes != 32) continue;
        SCOPED_TRACE(name + " " + one.name + " at " + std::to_string(lanes) + " lanes");
        CaseOverrides overrides;
        overrides.lanes = lanes;
        const testing::RecordedRun run = testing::record_run(*assembled.lesson(), one, overrides);
        ASSERT_EQ(run.error, "");
        check(run.trace);
      }
    }
  }
}

TEST(ProgramTraces, ComeBackByteForByte) {
  int traces = 0;
  for_each_trace([&](const Trace& trace) {
    if (++traces % 4 != 0 && testing::kSanitized) return;
    const std::string document = to_json(trace), records = to_ndjson(trace);
    for (const std::string* text : {&document, &records}) {
      const std::variant<Trace, JsonError> back = read_trace(*text);
      ASSERT_TRUE(std::holds_alternative<Trace>(back)) << render(std::get<JsonError>(back), "trace");
      EXPECT_EQ(text == &document ? to_json(std::get<Trace>(back)) : to_ndjson(std::get<Trace>(back)), *text);
      EXPECT_EQ(first_difference(trace, std::get<Trace>(back)), std::nullopt);
    }
  });
  EXPECT_GE(traces, 100);
}

TEST(ProgramTraces, AreTheSameEveryTime) {
  std::vector<std::string> first;
  for_each_trace([&](const Trace& trace) { first.push_back(to_json(trace)); });
  std::size_t k = 0;
  for_each_trace([&](const Trace& trace) { EXPECT_EQ(to_json(trace), first.at(k++)); });
}

TEST(ProgramTraces, EventsAreInOrderAndOutputsDefined) {
  for_each_trace([](const Trace& trace) {
    EXPECT_TRUE(trace.outcome.ok);
    if (trace.outcome.expected.empty())  // a rule cannot say it, tests/programs/permute_transforms_test.cpp can
      EXPECT_EQ(trace.head.program + " " + trace.head.case_name, "permute/fft_radix2 different");
    else EXPECT_EQ(trace.outcome.passed, true);
    EXPECT_TRUE(trace.outcome.undefined.empty());
    EXPECT_EQ(trace.outcome.instructions, trace.events.size());
    ASSERT_FALSE(trace.events.empty());
    EXPECT_EQ(trace.outcome.cycles, trace.events.back().cycle);
    const auto place = [](const TraceEvent& event) {
      return std::make_tuple(event.cycle.value(), event.block, event.warp);
    };
    for (std::size_t n = 1; n < trace.events.size(); ++n)
      ASSERT_LT(place(trace.events[n - 1]), place(trace.events[n])) << "event " << n;
    for (const TraceEvent& event : trace.events) {
      EXPECT_EQ(event.active & ~event.group, 0U);
      for (const TraceWrite& write : event.writes) EXPECT_EQ(write.lanes & ~event.active, 0U);
    }
  });
}

// Replaying the stores and atomics on the inputs gives the outputs: the trace has everything.
TEST(ProgramTraces, StoresAddUpToTheOutputs) {
  for_each_trace([](const Trace& trace) {
    for (const auto& [name, output] : trace.outcome.outputs) {
      std::vector<std::uint64_t> replayed(output.bits.size(), 0);
      for (const auto& [input_name, input] : trace.head.inputs)
        if (input_name == name) replayed = input.bits;
      for (const TraceEvent& event : trace.events) {
        if (!event.memory || !event.memory->writes() || event.memory->is_shared()) continue;
        ASSERT_EQ(event.memory->elements, 1U);  // no program stores vectors yet
        for (std::size_t k = 0; k < event.memory->bits.size(); ++k) {
          const TraceParam& param = trace.head.params[static_cast<std::size_t>(event.memory->object[k])];
          if (param.name != name) continue;
          ASSERT_EQ(bits(event.memory->type), bits(param.type));  // no program stores through a wider pointer
          replayed.at(static_cast<std::size_t>(event.memory->index[k])) = event.memory->left(k);
        }
      }
      EXPECT_EQ(replayed, output.bits) << name;
    }
  });
}

}  // namespace
}  // namespace warpsim
