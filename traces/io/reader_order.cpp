// The order of a trace's events, the time between them, and what the outcome says of both.
//
// Errors: J015 order, J017 an outcome that contradicts the events, J018 stalls that do not fill the time.
// Source: traces/FORMAT.md, "Events", "Time", "Outcome".
#include <algorithm>
#include <tuple>

#include "isa/text/number_text.h"
#include "traces/io/reader_parts.h"
#include "traces/replay/state.h"

namespace warpsim {

void EventOrder::check(const TraceHead& head, const TraceEvent& event, const Node& node) {
  const auto place = [](const TraceEvent& one) { return std::tuple(*one.cycle, one.block, one.warp); };
  const auto words = [](const TraceEvent& one) {
    return "cycle " + std::to_string(*one.cycle) + ", block " + std::to_string(one.block) + ", warp " +
           std::to_string(one.warp);
  };
  ++events_;
  if (!event.cycle) return;
  const bool lockstep = head.profile == TraceHead().profile;
  if (*event.cycle == 0) node.member("cycle").fail("J015", "cycles are counted from 1");
  else if (last_ && (lockstep ? place(event) <= place(*last_) : place(event) < place(*last_)))
    node.fail("J015", words(event) + " comes after " + words(*last_),
              "sort the events by cycle, then block, then warp: the order in which they issue");
  last_.emplace();
  last_->cycle = event.cycle;
  last_->block = event.block;
  last_->warp = event.warp;
  if (!head.scheduler.empty() && *event.cycle != 0) check_stalls(head, event, node);
}

// Before its first instruction a warp may have waited for less than all cycles: its block came later. Of a window
// it is unknown when the warp issued before.
void EventOrder::check_stalls(const TraceHead& head, const TraceEvent& event, const Node& node) {
  const std::uint64_t key = std::uint64_t{event.block} << 32 | event.warp;
  const auto [at, is_first] = warps_.emplace(key, Warp{});
  Warp& warp = at->second;
  const std::uint64_t between = *event.cycle - std::min(warp.cycle + 1, *event.cycle), waited = event.waited();
  const bool fits = !is_first ? waited == between : head.start || waited <= between;
  if (!fits) {
    const std::string cycles = counted(between, "cycle");
    node.fail("J018",
              "the warp waited " + counted(waited, "cycle") +
                  (is_first ? " in the " + cycles + " before its first instruction"
                            : ", but there are " + cycles + " between this instruction and its last one, in cycle " +
                                  std::to_string(warp.cycle)),
              "the stalls of an event are the cycles since its warp issued last");
  }
  warp.cycle = *event.cycle;
  for (const TraceMask& mask : event.masks)
    if (mask.kind == TraceMask::Kind::Exit) warp.exited |= mask.taken;
  if ((lanes_of_warp(head, event.warp) & ~warp.exited) == 0) warps_.erase(at);
}

// The instruction that traps is an event, but counts neither as an instruction nor for the last cycle.
void EventOrder::check_end(const TraceHead& head, const TraceOutcome& outcome, const Node& node) const {
  const std::uint64_t end = std::max(outcome.cycles, outcome.trap ? outcome.trap->cycle : 0);
  if (last_ && *last_->cycle > end)
    return node.member("cycles").fail("J017", "the run ends in cycle " + std::to_string(end) +
                                                  ", but its last event issues in cycle " +
                                                  std::to_string(*last_->cycle));
  const std::uint64_t before = head.start ? head.start->events : 0,
                      most = outcome.instructions + (outcome.trap ? 1 : 0);
  const std::string counted =
      std::to_string(outcome.instructions) + (outcome.instructions == 1 ? " instruction" : " instructions");
  if (events_ > most || before > most - events_)
    return node.member("instructions").fail("J017", "the run has " + counted + ", but there are more events");
  if (!head.start && events_ < outcome.instructions)
    return node.member("instructions")
        .fail("J017",
              "the run has " + counted + ", but only " + std::to_string(events_) + (events_ == 1 ? " is" : " are") +
                  " here",
              "a part of a run says so in its head, in `start`: `warpsim trace FILE --from 5 --to 12` makes one");
  if (outcome.ok && outcome.passed == false) node.member("ok").fail("J017", "a run that did not pass is not ok");
}

}  // namespace warpsim
