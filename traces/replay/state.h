// Every register of every lane at every event, rebuilt from the trace.
//
// Shapes: apply() the events in order; between two of them the state is what the machine held there. Registers of a
//         warp come into being when its first event is applied: all undefined, or what a window
//         finds.
// Units:  bits, zero-extended; predicates 0 or 1.
// Errors: none: a reader has checked the trace.
// Source: traces/FORMAT.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "traces/model/trace.h"

namespace warpsim {

// The lanes of a warp that its block has threads for: the last warp may be partial.
LaneMask lanes_of_warp(const TraceHead& head, std::uint32_t warp);

// Events of the run before the trace's first: of a window.
std::uint64_t events_before(const TraceHead& head);
// Whether the run's last event is the trace's last: not in a window that ends before the run does.
bool holds_end(const Trace& trace);
// Whether the event is the instruction that trapped; a deadlock or the cycle limit is no instruction's.
bool is_trapping(const TraceEvent& event, const TraceTrap& trap);
// What a window found in a register of a lane; null: nothing defined, or it is no window.
const TraceWrite* found_at_start(const TraceHead& head, std::uint32_t block, std::uint32_t warp, std::int32_t reg,
                                 unsigned lane);

class TraceState {
 public:
  TraceState() = default;
  explicit TraceState(const TraceHead& head);

  void apply(const TraceEvent& event);
  // 0 where the lane is undefined for want of a write.
  std::uint64_t bits(std::uint32_t block, std::uint32_t warp, std::int32_t reg, unsigned lane) const;
  LaneMask undefined(std::uint32_t block, std::uint32_t warp, std::int32_t reg) const;

 private:
  struct WarpState {
    std::vector<std::uint64_t> bits;  // [reg * lanes + lane]
    std::vector<LaneMask> undefined;  // [reg]
  };
  void write_all(std::uint32_t block, std::uint32_t index, const std::vector<TraceWrite>& writes);
  const WarpState* find(std::uint32_t block, std::uint32_t warp) const;

  std::size_t registers_ = 0;
  unsigned lanes_ = 32;
  std::map<std::pair<std::uint32_t, std::uint32_t>, WarpState> warps_;
};

// The state after the first `count` events. Replays them all: for a walk, keep a TraceState and apply().
TraceState state_after(const Trace& trace, std::size_t count);

}  // namespace warpsim
