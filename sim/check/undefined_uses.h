// Uses of undefined values: the moments at which they would begin to matter on hardware.
//
// Shapes: copying, computing with and shuffling an undefined value is silent (UndefinedLanes follows it); deciding by
//         it (a guard, a vote, a barrier's reduction), storing it, changing it with an atomic and addressing memory
//         with it is a use. One finding a register and pc: the first.
// Units:  cycles from 1.
// Errors: none here: it reports, others judge.
// Source: sim/README.md, "Decisions".
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/check/undefined.h"

namespace warpsim {

struct UndefinedUse {
  std::uint64_t cycle = 0;
  std::uint32_t block = 0, warp = 0;
  std::int32_t pc = -1;
  LaneMask lanes = 0;
  std::string message, hint;
};

class UndefinedUses {
 public:
  // Call on issue, after `shadow` has seen the same event and before its writes.
  void on_issue(const Program& program, const IssueEvent& event, const UndefinedLanes& shadow);
  // Call on memory, after `shadow` has seen the event.
  void on_memory(const Program& program, const IssueEvent& issue, const MemoryEvent& event,
                 const UndefinedLanes& shadow);
  const std::vector<UndefinedUse>& found() const { return found_; }

 private:
  void look_at(const Program& program, const IssueEvent& event, const UndefinedLanes& shadow, std::int32_t reg,
               LaneMask lanes, const char* use);

  std::set<std::pair<std::int32_t, std::int32_t>> seen_;  // pc, register
  std::vector<UndefinedUse> found_;
};

}  // namespace warpsim
