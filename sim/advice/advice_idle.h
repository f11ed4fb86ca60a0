// Lanes that idle, by cause: which branch, which guard, or a block that does not fill its last warp.
//
// Shapes: a slot is one lane that has not exited, in one cycle in which its warp issues. It is idle where the lane does
//         not execute:
//           - its guard switches it off: the cause is the instruction that last wrote the guard's predicate;
//           - it stands elsewhere, or waits: the cause is the branch at which it diverged from those that execute, the
//           oldest
//             one if there were several.
//         Branches and exits under a guard cost nobody anything by themselves. Lanes that have exited are not idle.
//         A cause is reported where it costs a warp at least a quarter of its slots over the run.
// Units:  slots.
// Errors: none.
// Source: CUDA C++ Best Practices Guide, "Branching and Divergence".
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/check/run_finding.h"
#include "sim/event/observer.h"

namespace warpsim {

class IdleAdvice {
 public:
  void begin(const Machine& machine);
  void on_issue(const IssueEvent& event);
  void on_mask(const MaskEvent& event);
  void finish(std::vector<RunFinding>& found);

 private:
  using Cause = std::pair<std::int32_t, bool>;  // pc; whether it is a guard's predicate
  struct Cost {
    Cause cause;
    std::uint64_t idle = 0;
    std::uint64_t cycle = 0;  // the first
    LaneMask lanes = 0;       // … which then idle
  };
  struct Split {  // of a branch, not yet joined
    std::int32_t pc;
    LaneMask sides[2];
  };
  struct WarpState {
    std::uint64_t slots = 0;
    LaneMask alive = 0;
    std::vector<Split> splits;  // the oldest first
    std::vector<Cost> costs;
    std::vector<std::int32_t> written_at;  // by register: predicates that are guards
  };
  struct Worst {  // of a cause, over the warps
    Cost cost;
    std::uint64_t slots = 0;
    std::uint32_t block = 0, warp = 0;
    std::uint64_t warps = 0;  // that it costs a quarter or more
  };

  void blame(const Cause& cause, LaneMask lanes);
  void settle(std::uint64_t key);
  void report_partial_warp(std::vector<RunFinding>& found) const;

  const Program* program_ = nullptr;
  unsigned lanes_ = 32;
  std::uint32_t warps_per_block_ = 1;
  LaneMask last_warp_ = 0;                              // lanes that exist
  std::vector<std::uint8_t> is_guard_;                  // by register
  std::vector<std::vector<std::int32_t>> predicates_;   // by pc: guards that it writes
  std::unordered_map<std::uint64_t, WarpState> warps_;  // that have not ended
  std::map<Cause, Worst> worst_;

  // The instruction that is being told.
  WarpState* current_ = nullptr;
  std::uint64_t key_ = 0, cycle_ = 0;
  std::int32_t pc_ = -1;
};

}  // namespace warpsim
