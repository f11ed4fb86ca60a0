// Uses of values that hold nothing defined, or that a shuffle left in place past its segment: the moments at which they
// would begin to matter on hardware.
//
// Shapes: copying such a value, computing with it and shuffling it is silent (UndefinedLanes follows it); deciding by
//         it (a guard, a vote, a member mask, a barrier's reduction), storing it, changing it with an atomic and
//         addressing memory with it is a use. One finding a register, pc and birth: the first. Its steps lead back to
//         the birth. What was left in place is used on purpose where the lanes that execute are exactly those that hold
//         it: the program has tested the predicate, or the lane.
// Units:  cycles from 1.
// Errors: none here: it reports, others judge.
// Source: sim/README.md, "Decisions".
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/check/run_finding.h"
#include "sim/check/undefined.h"

namespace warpsim {

class ValueUses {
 public:
  explicit ValueUses(ShadowOf of = ShadowOf::Undefined) : of_(of) {}
  void begin(const Program& program);
  // Call on issue, after `shadow` has seen the same event and before its writes.
  void on_issue(const IssueEvent& event, UndefinedLanes& shadow);
  // Call on memory, after `shadow` has seen the event.
  void on_memory(const IssueEvent& issue, const MemoryEvent& event, UndefinedLanes& shadow);

  const std::vector<RunFinding>& found() const { return found_; }
  // The first cycle in which one of these values decided where lanes go.
  std::optional<std::uint64_t> first_branch() const { return first_branch_; }
  std::vector<RunFinding> take() { return std::exchange(found_, {}); }  // those since the last time

 private:
  struct Use {
    std::int32_t reg;
    bool is_guard;  // of all lanes that stand there, not only of those that execute
    MessageId how;  // UseIsStored
  };
  static std::vector<Use> uses_of(const Insn& insn);
  bool is_meant(const IssueEvent& event, LaneMask holding) const;
  void report(const IssueEvent& event, const UndefinedLanes& shadow, std::int32_t reg, LaneMask lanes,
              const std::vector<std::int32_t>& origins, const Message& what, MessageId how);
  std::vector<FindingStep> steps(const UndefinedLanes& shadow, std::int32_t origin) const;
  Message told(const Origin& origin, bool loads) const;
  Message edge_hint(const UndefinedLanes& shadow, std::int32_t origin) const;

  ShadowOf of_;
  const Program* program_ = nullptr;
  std::vector<std::vector<Use>> uses_;                                    // by pc
  std::set<std::tuple<std::int32_t, std::int32_t, Origin::Birth>> seen_;  // pc, register
  std::vector<RunFinding> found_;
  std::optional<std::uint64_t> first_branch_;
};

// The code of using what was born so.
Finding finding_of(Origin::Birth birth);

}  // namespace warpsim
