// How one issue reaches those who watch: not at all, or through a list of sinks.
//
// Shapes: every hook is `if constexpr (Observer::kActive)`, so that a run without sinks has no observing code.
// Errors: none.
#pragma once

#include <span>
#include <vector>

#include "sim/event/observer.h"
#include "sim/machine/divergence.h"

namespace warpsim {

struct NullObserver {
  static constexpr bool kActive = false;
};
inline unsigned watch_version(const NullObserver&) { return 0; }

struct SinkObserver {
  static constexpr bool kActive = true;
  std::span<EventSink* const> sinks;
  template <class Event>
  void report(void (EventSink::*hook)(const Event&), const Event& event) const {
    for (EventSink* sink : sinks) (sink->*hook)(event);
  }
  const EarlyEnd* early_end() const {
    for (const EventSink* sink : sinks)
      if (const EarlyEnd* const end = sink->early_end()) return end;
    return nullptr;
  }
};
// Changes where one of the sinks watches something else from now on.
inline unsigned watch_version(const SinkObserver& observer) {
  unsigned sum = 0;
  for (const EventSink* sink : observer.sinks) sum += sink->watch_version();
  return sum;
}

// What one issue brings together: scratch that is cleared, never freed.
struct Gathering {
  bool is_observed = false;    // else `barriers` stays empty
  std::vector<Joined> joined;  // lanes that converge
  std::vector<int> groups;     // the groups that execute, rising
  struct Barrier {
    SyncEvent::Kind kind;
    bool reduces;
    std::vector<SyncEvent::Arrival> arrivals;
  };
  std::vector<Barrier> barriers;  // that open, where somebody watches
};

}  // namespace warpsim
