// A trace to move in, forwards and backwards: what every front end that steps through time uses.
//
// Shapes: position n is the moment after n events, from 0 to size(). Keyframes, whole states every so many events, are
//         kept as the walk first passes them, so that stepping back replays at most one interval. Everything asked for
//         is as it is at the position.
// Units:  events; lanes; elements of buffers.
// Errors: none: a reader has checked the trace. A position past the end is the end.
// Source: traces/FORMAT.md, "Rebuilding the state".
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "traces/model/trace.h"
#include "traces/replay/memory_state.h"
#include "traces/replay/state.h"

namespace warpsim {

// Where the lanes of a warp are.
struct WarpPlace {
  LaneMask lanes = 0;              // that exist: the last warp of a block may be partial
  LaneMask exited = 0;             // that are done
  LaneMask active = 0;             // that executed the warp's last instruction
  std::vector<std::int32_t> pc;    // by lane: its next instruction
  std::size_t events = 0;          // of this warp so far
  std::uint32_t phase_number = 0;  // of its last phase: see TracePhaseStart
  std::int32_t phase = -1;         // index into head.phases, -1: none yet
};

// What the last event changed.
struct HistoryChanges {
  struct Register {
    std::int32_t reg = 0;
    LaneMask written = 0;
    LaneMask changed = 0;  // that hold something else than before
  };
  struct Element {
    bool shared = false;
    std::int32_t object = 0;  // parameter or shared array
    std::int64_t index = 0;
    bool changed = false;  // it was stored to in any case
    bool operator==(const Element&) const = default;
  };
  std::vector<Register> registers;
  std::vector<Element> elements;  // each once, in rising lane order of the first store
};

class History {
 public:
  using WarpKey = std::pair<std::uint32_t, std::uint32_t>;  // block, warp
  // Keyframes are `interval` events apart; 0 chooses, so that there are at most about a hundred.
  explicit History(Trace trace, std::size_t interval = 0);
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  const Trace& trace() const { return trace_; }
  const TraceHead& head() const { return trace_.head; }
  std::size_t size() const { return trace_.events.size(); }
  std::size_t position() const { return position_; }
  void seek(std::size_t position);
  // The event that led here; null at position 0.
  const TraceEvent* last() const { return position_ == 0 ? nullptr : &trace_.events[position_ - 1]; }

  const TraceState& registers() const { return now_.registers; }
  const TraceMemoryState& memory() const { return now_.memory; }
  const std::map<WarpKey, WarpPlace>& warps() const { return now_.warps; }  // every warp of the launch that has events
  const WarpPlace* warp(std::uint32_t block, std::uint32_t warp) const;
  const HistoryChanges& changes() const { return changes_; }
  // Undefined where the lane was never written or what it holds is undefined.
  TemplateValue value(std::uint32_t block, std::uint32_t warp, std::int32_t reg, unsigned lane) const;

 private:
  struct Moment {
    TraceState registers;
    TraceMemoryState memory;
    std::map<WarpKey, WarpPlace> warps;
  };

  Moment beginning() const;
  void apply(const TraceEvent& event);
  void move_lanes(const TraceEvent& event);
  void apply_noting_changes(const TraceEvent& event);
  void add_stored_elements(const TraceEvent& event);
  TemplateValue element(const HistoryChanges::Element& at, std::uint32_t block) const;

  Trace trace_;
  std::size_t interval_ = 0;
  std::map<std::size_t, Moment> keyframes_;  // by position
  Moment now_;
  std::size_t position_ = 0;
  HistoryChanges changes_;
};

}  // namespace warpsim
