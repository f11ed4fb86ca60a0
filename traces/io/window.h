// A part of a trace that is itself a trace: the events of some cycles, of one block or warp, or only so many of them.
//
// Shapes: records go in as a recorder or a reader gives them, and the window's come out. The head is handed on with the
//         window's first event, because it says what that event finds: registers, memory, where each lane was. The
//         outcome is the run's. A trace whose every event is wanted is unchanged.
// Units:  cycles from 1; in a trace from hardware, which has none, events from 1.
// Errors: none.
// Source: traces/FORMAT.md, "Windows".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "traces/model/trace.h"
#include "traces/replay/memory_state.h"
#include "traces/replay/state.h"

namespace warpsim {

struct WindowOptions {
  std::uint64_t from = 1;
  std::uint64_t to = ~std::uint64_t{0};
  std::optional<std::uint32_t> block, warp;  // warp in its block
  std::uint64_t max_events = ~std::uint64_t{0};

  bool is_all() const {
    return from <= 1 && to == ~std::uint64_t{0} && !block && !warp && max_events == ~std::uint64_t{0};
  }
};

class TraceWindow {
 public:
  TraceWindow(const WindowOptions& options, TraceConsumer next);
  // Calls into this window, which must stay where it is.
  TraceConsumer consumer();
  std::uint64_t events() const { return sent_; }  // in the window so far

 private:
  void event(const TraceEvent& event);
  bool wants(const TraceEvent& event) const;
  void keep(const TraceEvent& event);  // what the window's start needs of it
  void send_head();
  TraceStart start() const;

  struct Place {
    std::map<unsigned, std::int32_t> pc;  // by lane
    LaneMask exited = 0;
  };

  WindowOptions options_;
  TraceConsumer next_;
  TraceHead head_;
  bool sent_head_ = false;
  std::uint64_t seen_ = 0, sent_ = 0;  // events
  TraceState registers_;
  TraceMemoryState memory_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Place> places_;  // by block and warp
};

Trace window_of(const Trace& trace, const WindowOptions& options);

}  // namespace warpsim
