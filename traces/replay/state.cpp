// Replaying a trace's writes.
#include "traces/replay/state.h"

#include <algorithm>

namespace warpsim {

LaneMask lanes_of_warp(const TraceHead& head, std::uint32_t warp) {
  const std::uint64_t first = std::uint64_t{warp} * head.lanes, threads = head.block.count();
  const std::uint64_t here = threads > first ? std::min<std::uint64_t>(threads - first, head.lanes) : 0;
  return here == 0 ? 0 : full_mask(static_cast<unsigned>(here));
}

std::uint64_t events_before(const TraceHead& head) { return head.start ? head.start->events : 0; }

bool holds_end(const Trace& trace) {
  return events_before(trace.head) + trace.events.size() >= trace.outcome.instructions;
}

bool is_trapping(const TraceEvent& event, const TraceTrap& trap) {
  return (!event.cycle || *event.cycle == trap.cycle) && event.block == trap.block && event.warp == trap.warp &&
         event.pc == trap.pc && event.writes.empty() && !event.memory;
}

const TraceWrite* found_at_start(const TraceHead& head, std::uint32_t block, std::uint32_t warp, std::int32_t reg,
                                 unsigned lane) {
  if (!head.start) return nullptr;
  for (const TraceStart::Warp& one : head.start->warps) {
    if (one.block != block || one.warp != warp) continue;
    for (const TraceWrite& write : one.registers)
      if (write.reg == reg && has_lane(write.lanes & ~write.undefined, lane)) return &write;
  }
  return nullptr;
}

TraceState::TraceState(const TraceHead& head) : registers_(head.registers.size()), lanes_(head.lanes) {
  if (!head.start) return;
  for (const TraceStart::Warp& warp : head.start->warps) write_all(warp.block, warp.warp, warp.registers);
}

void TraceState::apply(const TraceEvent& event) { write_all(event.block, event.warp, event.writes); }

void TraceState::write_all(std::uint32_t block, std::uint32_t index, const std::vector<TraceWrite>& writes) {
  WarpState& warp = warps_[{block, index}];
  if (warp.undefined.empty()) {
    warp.bits.assign(registers_ * lanes_, 0);
    warp.undefined.assign(registers_, full_mask(lanes_));
  }
  for (const TraceWrite& write : writes) {
    const std::size_t reg = static_cast<std::size_t>(write.reg);
    std::uint64_t* row = warp.bits.data() + reg * lanes_;
    std::size_t k = 0;
    for_each_lane(write.lanes, [&](unsigned lane) { row[lane] = write.bits[k++]; });
    warp.undefined[reg] = (warp.undefined[reg] & ~write.lanes) | write.undefined;
  }
}

const TraceState::WarpState* TraceState::find(std::uint32_t block, std::uint32_t warp) const {
  const auto found = warps_.find({block, warp});
  return found == warps_.end() || found->second.undefined.empty() ? nullptr : &found->second;
}

std::uint64_t TraceState::bits(std::uint32_t block, std::uint32_t warp, std::int32_t reg, unsigned lane) const {
  const WarpState* state = find(block, warp);
  return state == nullptr ? 0 : state->bits[static_cast<std::size_t>(reg) * lanes_ + lane];
}

LaneMask TraceState::undefined(std::uint32_t block, std::uint32_t warp, std::int32_t reg) const {
  const WarpState* state = find(block, warp);
  return state == nullptr ? full_mask(lanes_) : state->undefined[static_cast<std::size_t>(reg)];
}

TraceState state_after(const Trace& trace, std::size_t count) {
  TraceState state(trace.head);
  for (std::size_t k = 0; k < count && k < trace.events.size(); ++k) state.apply(trace.events[k]);
  return state;
}

}  // namespace warpsim
