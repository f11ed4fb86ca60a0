// Moving through a trace: every program forwards, backwards and across keyframes is in the same state at each event.
#include "traces/replay/history.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/every_program.h"
#include "traces/io/window.h"

namespace warpsim {
namespace {

// All that a position shows, as text.
std::string state_text(const History& history) {
  std::string out = std::to_string(history.position());
  const TraceHead& head = history.head();
  for (const auto& [key, warp] : history.warps()) {
    out += "\n" + std::to_string(key.first) + "." + std::to_string(key.second) + " " + std::to_string(warp.active) +
           " " + std::to_string(warp.exited) + " " + std::to_string(warp.events) + " " +
           std::to_string(warp.phase_number);
    for (const std::int32_t pc : warp.pc) out += " " + std::to_string(pc);
    for (std::size_t reg = 0; reg < head.registers.size(); ++reg) {
      for (unsigned lane = 0; lane < head.lanes; ++lane)
        out += "," + display(history.value(key.first, key.second, static_cast<std::int32_t>(reg), lane), head.lanes);
    }
  }
  for (std::size_t k = 0; k < head.params.size(); ++k) {
    if (!head.params[k].is_buffer()) continue;
    for (const std::uint64_t bits : history.memory().buffer(k).values.bits) out += ";" + std::to_string(bits);
  }
  for (const auto& [block, object] : history.memory().written_shared())
    for (const std::uint64_t bits : history.memory().shared(block, object).values.bits)
      out += ":" + std::to_string(bits);
  for (const HistoryChanges::Register& change : history.changes().registers)
    out +=
        "r" + std::to_string(change.reg) + " " + std::to_string(change.written) + " " + std::to_string(change.changed);
  for (const HistoryChanges::Element& at : history.changes().elements)
    out += "e" + std::to_string(at.object) + "[" + std::to_string(at.index) + (at.changed ? "]!" : "]");
  return out;
}

TEST(History, TheSameForwardsAndBackwards) {
  std::mt19937 random(1);
  testing::for_each_program([&](const Program&, const Trace& trace) {
    History history(trace, 7);
    std::vector<std::string> forwards = {state_text(history)};
    while (history.position() < history.size()) {
      history.seek(history.position() + 1);
      forwards.push_back(state_text(history));
    }
    for (std::size_t n = history.size(); n-- > 0;) {
      history.seek(n);
      ASSERT_EQ(state_text(history), forwards[n]) << "backwards to " << n;
    }
    for (int k = 0; k < 30; ++k) {
      const std::size_t n = random() % (history.size() + 1);
      history.seek(n);
      ASSERT_EQ(state_text(history), forwards[n]) << "jumped to " << n;
    }
  });
}

// What a warp executes next is where its lanes were reported, and no lane is left over at the end.
TEST(History, LanesStandWhereTheyGoOn) {
  testing::for_each_program([](const Program&, const Trace& trace) {
    History history(trace);
    for (std::size_t n = 0; n < history.size(); ++n) {
      history.seek(n);
      const TraceEvent& next = trace.events[n];
      const WarpPlace& warp = *history.warp(next.block, next.warp);
      for_each_lane(next.group, [&](unsigned lane) { ASSERT_EQ(warp.pc[lane], next.pc) << "event " << n; });
      ASSERT_EQ(next.group & ~warp.lanes, 0U);
      ASSERT_EQ(next.group & warp.exited, 0U);
    }
    history.seek(history.size());
    for (const auto& [key, warp] : history.warps()) EXPECT_EQ(warp.exited, warp.lanes);
    for (const auto& [name, output] : trace.outcome.outputs) {
      for (std::size_t k = 0; k < trace.head.params.size(); ++k)
        if (trace.head.params[k].name == name) {
          EXPECT_EQ(history.memory().buffer(k).values, output) << name;
        }
    }
  });
}

TEST(History, SaysWhatAnEventChanged) {
  const Trace trace = testing::program_trace("p26/butterfly_parallel_max", "worked", 8);
  History history(trace);
  std::size_t n = 0;
  while (trace.head.code[static_cast<std::size_t>(trace.events[n].pc)].op != "max") ++n;
  history.seek(n + 1);
  // Step 1 of 000: lanes 0 to 3 take what is larger, lanes 4 to 7 keep theirs.
  ASSERT_EQ(history.changes().registers.size(), 1U);
  EXPECT_EQ(history.changes().registers[0].written, 0xffU);
  EXPECT_EQ(history.changes().registers[0].changed, 0x0fU);
  EXPECT_TRUE(history.changes().elements.empty());
  history.seek(history.size() - 1);
  ASSERT_EQ(history.changes().elements.size(), 8U);
  EXPECT_EQ(history.changes().elements[3], (HistoryChanges::Element{false, 1, 3, true}));
  history.seek(0);
  EXPECT_TRUE(history.changes().registers.empty());
  EXPECT_EQ(history.last(), nullptr);
  history.seek(100000);
  EXPECT_EQ(history.position(), history.size());
}

// A window's lanes are where its events find them, and its registers hold what the run's do.
TEST(History, OfAWindow) {
  testing::for_each_program([](const Program&, const Trace& trace) {
    WindowOptions options;
    options.from = trace.outcome.cycles / 2 + 1;
    const Trace part = window_of(trace, options);
    if (part.events.empty()) return;
    const std::size_t before = trace.events.size() - part.events.size();
    History whole(trace), window(part);
    for (std::size_t n = 0; n < part.events.size(); ++n) {
      window.seek(n);
      whole.seek(before + n);
      const TraceEvent& next = part.events[n];
      for_each_lane(next.group, [&](unsigned lane) {
        ASSERT_EQ(window.warp(next.block, next.warp)->pc[lane], next.pc);
        for (std::size_t reg = 0; reg < trace.head.registers.size(); ++reg) {
          const std::int32_t r = static_cast<std::int32_t>(reg);
          ASSERT_EQ(display(window.value(next.block, next.warp, r, lane), trace.head.lanes),
                    display(whole.value(next.block, next.warp, r, lane), trace.head.lanes));
        }
      });
    }
  });
}

}  // namespace
}  // namespace warpsim
