// A part of a trace; see window.h.
#include "traces/io/window.h"

#include <tuple>
#include <utility>

#include "traces/io/reader.h"

namespace warpsim {

TraceWindow::TraceWindow(const WindowOptions& options, TraceConsumer next)
    : options_(options), next_(std::move(next)) {}

TraceConsumer TraceWindow::consumer() {
  if (options_.is_all()) return next_;
  TraceConsumer out;
  out.head = [this](const TraceHead& head) {
    head_ = head;
    registers_ = TraceState(head);
    memory_ = TraceMemoryState(head);
    if (!head.start) return;
    seen_ = head.start->events;
    for (const TraceStart::Warp& warp : head.start->warps) {
      Place& place = places_[{warp.block, warp.warp}];
      std::size_t k = 0;
      for_each_lane(warp.lanes, [&](unsigned lane) { place.pc[lane] = warp.pc[k++]; });
      place.exited = warp.exited;
    }
  };
  out.event = [this](const TraceEvent& one) { event(one); };
  out.outcome = [this](const TraceOutcome& outcome) {
    send_head();
    if (next_.outcome) next_.outcome(outcome);
  };
  return out;
}

bool TraceWindow::wants(const TraceEvent& event) const {
  const std::uint64_t when = event.cycle.value_or(seen_ + 1);
  return sent_ < options_.max_events && when >= options_.from && when <= options_.to &&
         (!options_.block || event.block == *options_.block) && (!options_.warp || event.warp == *options_.warp);
}

void TraceWindow::event(const TraceEvent& event) {
  if (wants(event)) {
    send_head();
    ++sent_;
    if (next_.event) next_.event(event);
  } else if (!sent_head_) {
    keep(event);
  }
  ++seen_;
}

void TraceWindow::keep(const TraceEvent& event) {
  registers_.apply(event);
  memory_.apply(event);
  Place& place = places_[{event.block, event.warp}];
  for_each_lane(event.group, [&](unsigned lane) { place.pc[lane] = event.pc; });
  for (const TraceMask& mask : event.masks)
    if (mask.kind == TraceMask::Kind::Exit) place.exited |= mask.taken;
}

void TraceWindow::send_head() {
  if (std::exchange(sent_head_, true)) return;
  head_.start = start();
  if (head_.version < "1.1") head_.version = "1.1";
  if (next_.head) next_.head(head_);
}

TraceStart TraceWindow::start() const {
  TraceStart out;
  out.events = seen_;
  for (const auto& [key, place] : places_) {
    TraceStart::Warp warp;
    std::tie(warp.block, warp.warp) = key;
    warp.exited = place.exited;
    for (const auto& [lane, pc] : place.pc) {
      warp.lanes |= lane_bit(lane);
      warp.pc.push_back(pc);
    }
    for (std::size_t k = 0; k < head_.registers.size(); ++k) {
      TraceWrite write;
      write.reg = static_cast<std::int32_t>(k);
      write.lanes = full_mask(head_.lanes) & ~registers_.undefined(warp.block, warp.warp, write.reg);
      for_each_lane(write.lanes, [&](unsigned lane) {
        write.bits.push_back(registers_.bits(warp.block, warp.warp, write.reg, lane));
      });
      if (write.lanes != 0) warp.registers.push_back(std::move(write));
    }
    out.warps.push_back(std::move(warp));
  }
  for (const std::size_t param : memory_.written_buffers()) {
    TraceMemoryState::Elements now = memory_.buffer(param);
    const std::string& name = head_.params[param].name;
    if (!now.undefined.empty()) out.undefined.push_back({name, std::move(now.undefined)});
    out.buffers.emplace_back(name, std::move(now.values));
  }
  for (const auto& [block, object] : memory_.written_shared()) {
    TraceMemoryState::Elements now = memory_.shared(block, object);
    out.shared.push_back({block, static_cast<std::int32_t>(object), std::move(now.values), std::move(now.undefined)});
  }
  return out;
}

Trace window_of(const Trace& trace, const WindowOptions& options) {
  Trace out;
  TraceWindow window(options, collect_into(out));
  const TraceConsumer consumer = window.consumer();
  consumer.head(trace.head);
  for (const TraceEvent& event : trace.events) consumer.event(event);
  consumer.outcome(trace.outcome);
  return out;
}

}  // namespace warpsim
