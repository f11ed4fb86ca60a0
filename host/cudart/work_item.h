// Work that was given to a stream: what it is behind, and where the host gave it.
//
// Shapes: what it is behind is let go once it is over, so that what is over keeps nothing alive.
// Units:  bytes.
// Errors: none here; Runtime::run() has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "host/cudart/work.h"
#include "host/cudart/work_clock.h"
#include "host/exec/call_stack.h"

namespace warpsim::cudart {

struct WorkItem;
using WorkPointer = std::shared_ptr<WorkItem>;

struct WorkItem {
  enum class State : std::uint8_t { Open, Runs, Over };

  Work work;
  std::vector<WorkPointer> behind;
  WorkClock before;  // what is over when it begins
  Moment moment;
  host::CallStack at;
  std::vector<std::byte> staged;  // of a copy from pageable memory: what was there at the call
  State state = State::Open;
  cudaError_t error = cudaSuccess;

  bool may_run() const {
    for (const WorkPointer& one : behind)
      if (one->state != State::Over) return false;
    return true;
  }
};

}  // namespace warpsim::cudart
