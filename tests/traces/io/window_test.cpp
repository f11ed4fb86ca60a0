// A window of a trace is a trace, and what it holds at each of its events is what the whole trace holds there.
#include "traces/io/window.h"

#include <gtest/gtest.h>

#include "tests/support/every_program.h"
#include "tests/traces/io/sample_trace.h"
#include "traces/io/reader.h"
#include "traces/io/writer.h"

namespace warpsim {
namespace {

using testing::for_each_program;

void expect_reads_back(const Trace& trace) {
  for (const std::string& text : {to_json(trace), to_ndjson(trace)}) {
    const std::variant<Trace, JsonError> back = read_trace(text);
    ASSERT_TRUE(std::holds_alternative<Trace>(back)) << render(std::get<JsonError>(back), "window");
    EXPECT_EQ(to_ndjson(std::get<Trace>(back)), to_ndjson(trace));
  }
}

// Registers of the warp of an event, as one text.
std::string registers_text(const TraceState& state, const TraceHead& head, const TraceEvent& event) {
  std::string text;
  for (std::size_t k = 0; k < head.registers.size(); ++k) {
    const std::int32_t reg = static_cast<std::int32_t>(k);
    for (unsigned lane = 0; lane < head.lanes; ++lane)
      text += has_lane(state.undefined(event.block, event.warp, reg), lane)
                  ? "? "
                  : std::to_string(state.bits(event.block, event.warp, reg, lane)) + " ";
  }
  return text;
}

// What memory holds where it is defined; what is undefined has no bits.
std::string memory_text(const TraceMemoryState& state, const TraceHead& head) {
  std::string text;
  const auto add = [&text](TraceMemoryState::Elements elements) {
    for (const std::uint64_t k : elements.undefined) elements.values.bits[k] = 0;
    for (const std::uint64_t bits : elements.values.bits) text += std::to_string(bits) + " ";
    for (const std::uint64_t k : elements.undefined) text += "?" + std::to_string(k) + " ";
  };
  for (std::size_t k = 0; k < head.params.size(); ++k)
    if (head.params[k].is_buffer()) add(state.buffer(k));
  for (std::uint32_t block = 0; block < head.grid.count(); ++block)
    for (std::size_t k = 0; k < head.shared.size(); ++k) add(state.shared(block, k));
  return text;
}

// Walks the window and the whole trace beside each other.
void expect_same_state(const Trace& whole, const Trace& window, bool with_memory) {
  ASSERT_TRUE(window.head.start.has_value());
  TraceState all(whole.head), part(window.head);
  TraceMemoryState all_memory(whole.head), part_memory(window.head);
  std::size_t k = 0;
  for (const TraceEvent& event : window.events) {
    for (bool found = false; !found; ++k) {
      ASSERT_LT(k, whole.events.size());
      all.apply(whole.events[k]);
      all_memory.apply(whole.events[k]);
      found = to_json(whole.events[k], whole.head) == to_json(event, window.head);
    }
    part.apply(event);
    part_memory.apply(event);
    ASSERT_EQ(registers_text(part, window.head, event), registers_text(all, whole.head, event)) << "event " << k;
    if (with_memory) {
      ASSERT_EQ(memory_text(part_memory, window.head), memory_text(all_memory, whole.head)) << k;
    }
  }
}

TEST(Window, CyclesOfEveryProgramFindTheSameState) {
  for_each_program(
      [](const Lesson&, const Trace& whole) {
        WindowOptions options;
        options.from = whole.outcome.cycles / 3 + 1;
        options.to = whole.outcome.cycles * 2 / 3 + 1;
        const Trace window = window_of(whole, options);
        std::size_t wanted = 0;
        for (const TraceEvent& event : whole.events)
          wanted += *event.cycle >= options.from && *event.cycle <= options.to;
        ASSERT_EQ(window.events.size(), wanted);
        ASSERT_EQ(window.head.version, "1.1");
        expect_same_state(whole, window, true);
        expect_reads_back(window);
      },
      testing::LanesInTurn());
}

TEST(Window, OneWarpsRegistersAreTheSame) {
  for_each_program(
      [](const Lesson&, const Trace& whole) {
        WindowOptions options;
        options.block = whole.events.back().block;
        options.warp = whole.events.back().warp;
        options.max_events = 30;
        const Trace window = window_of(whole, options);
        for (const TraceEvent& event : window.events) {
          EXPECT_EQ(event.block, options.block);
          EXPECT_EQ(event.warp, options.warp);
        }
        EXPECT_LE(window.events.size(), 30U);
        expect_same_state(whole, window, false);
        expect_reads_back(window);
      },
      testing::LanesInTurn());
}

TEST(Window, OfAWindowIsTheWindowOfTheWhole) {
  for_each_program(
      [](const Lesson&, const Trace& whole) {
        WindowOptions wide, narrow;
        wide.from = 2;
        narrow.from = whole.outcome.cycles / 2 + 1;
        EXPECT_EQ(to_ndjson(window_of(window_of(whole, wide), narrow)), to_ndjson(window_of(whole, narrow)));
      },
      testing::LanesInTurn());
}

TEST(Window, OfEverythingIsTheTraceItself) {
  const Trace trace = testing::sample_trace(8);
  EXPECT_EQ(to_json(window_of(trace, {})), to_json(trace));
}

TEST(Window, WithoutEventsHoldsTheEndOfTheRun) {
  const testing::RecordedRun run = testing::record_run("p26/butterfly_pair_swap", "test", {});
  ASSERT_EQ(run.error, "");
  WindowOptions options;
  options.from = run.trace.outcome.cycles + 1;
  const Trace window = window_of(run.trace, options);
  EXPECT_TRUE(window.events.empty());
  ASSERT_TRUE(window.head.start.has_value());
  EXPECT_EQ(window.head.start->events, run.trace.events.size());
  EXPECT_EQ(window.head.start->buffers, run.trace.outcome.outputs);
  EXPECT_EQ(window.head.start->warps.at(0).exited, full_mask(window.head.lanes));
  expect_reads_back(window);
}

// Bytes, not elements: a 16-bit store into the upper half of a 32-bit element; and what is undefined stays so.
TEST(MemoryState, StoresOfAnotherWidthChangeTheBytes) {
  Trace trace = testing::sample_trace(8);
  TraceEvent store;
  store.memory = TraceMemory{};
  store.memory->space = TraceMemory::Space::Shared;
  store.memory->access = TraceMemory::Access::Store;
  store.memory->bytes = 2;
  store.memory->type = Type::U16;
  store.memory->lanes = 0b11;
  store.memory->object = {0, 0};
  store.memory->index = {1, 2};
  store.memory->address = {6, 8};
  store.memory->bits = {0xBEEF, 0xCAFE};
  store.memory->undefined[0] = 0b10;
  TraceStart start;
  start.shared = {
      {0, 0, {trace.head.shared.at(0).type, std::vector<std::uint64_t>(trace.head.shared[0].length, 0x11223344)}, {}}};
  trace.head.start = start;
  TraceMemoryState state(trace.head);
  state.apply(store);
  const TraceMemoryState::Elements now = state.shared(0, 0);
  EXPECT_EQ(now.values.bits.at(0), 0x11223344U);
  EXPECT_EQ(now.values.bits.at(1), 0xBEEF3344U);
  EXPECT_EQ(now.undefined, std::vector<std::uint64_t>{2});
}

}  // namespace
}  // namespace warpsim
