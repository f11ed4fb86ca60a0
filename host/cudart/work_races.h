// Work of streams that touches the same memory while nothing orders it, and memory that the host must not touch yet.
//
// Shapes: of all work that the host has not waited for, what it touched; the latest kMostKept, and of a work that
//         touched more than kMostRanges ranges nothing.
// Units:  bytes.
// Errors: none. It says nothing of what it does not know: there is no false race.
// Source: what orders work: CUDA Runtime API 13.0, "Stream synchronization behavior", "API synchronization behavior".
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "host/cudart/work_clock.h"
#include "host/device/touched_bytes.h"
#include "host/exec/call_stack.h"

namespace warpsim::cudart {

struct TouchingWork {
  Moment moment;
  WorkClock before;  // what is over when it begins
  host::Touched touched;
  std::string what;    // "`scale` (launch 3)"
  host::CallStack at;  // where the host gave it to its stream …
  std::string call;    // … "launched"
  std::string writes;  // what it does to what it writes: "writes"
};

struct WorkRace {
  const TouchingWork *first = nullptr, *second = nullptr;
  bool first_writes = false, second_writes = false;
  host::ByteRange bytes;
};

class WorkRaces {
 public:
  static constexpr std::size_t kMostKept = 4096, kMostRanges = std::size_t{1} << 22;

  // The first race with what is kept, if there is one; it points to what is kept.
  std::optional<WorkRace> add(TouchingWork work);
  // What the host has waited for can be in no race any more. Whether that was anything.
  bool forget(const WorkClock& host);
  const std::deque<TouchingWork>& kept() const { return kept_; }

 private:
  bool drop(const std::function<bool(const TouchingWork&)>& is_done);
  std::deque<TouchingWork> kept_;  // the oldest first
  std::size_t ranges_ = 0;
};

}  // namespace warpsim::cudart
