// Uses of values of which something is undefined, or that a shuffle left in place past its segment: the moments at
// which they would begin to matter on hardware.
//
// Shapes: copying such a value, also to memory, computing with it and shuffling it is silent (UndefinedLanes follows
//         it); deciding by it (a guard, a vote or a barrier's reduction whose result it can change, a member mask),
//         changing it with an atomic and addressing memory with it is a use. So is leaving it in an output: whoever
//         stored it is reported once the kernel has ended, if it is still there. What was left in place is followed
//         through registers alone, so that storing it is a use already. One finding a register, pc and birth: the
//         first. Its steps lead back to the birth. What was left in place is used on purpose where the lanes that
//         execute are exactly those that hold it: the program has tested the predicate, or the lane.
// Units:  cycles from 1.
// Errors: none here: it reports, others judge.
// Source: sim/README.md, "Decisions".
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/check/run_finding.h"
#include "sim/check/undefined.h"

namespace warpsim {

class ValueUses {
 public:
  explicit ValueUses(ShadowOf of = ShadowOf::Undefined) : of_(of) {}
  void begin(const Machine& machine);
  // Call on issue, after `shadow` has seen the same event and before its writes.
  void on_issue(const IssueEvent& event, UndefinedLanes& shadow);
  // Call on memory, after `shadow` has seen the event.
  void on_memory(const IssueEvent& issue, const MemoryEvent& event, UndefinedLanes& shadow);

  // Call once the run has ended: of what was stored in global memory, what is still in these outputs; none named: in
  // any.
  void on_finish(const std::vector<std::string>& outputs, const UndefinedLanes& shadow);

  const std::vector<RunFinding>& found() const { return found_; }
  // The first cycle in which one of these values decided where lanes go.
  std::optional<std::uint64_t> first_branch() const { return first_branch_; }
  std::vector<RunFinding> take() { return std::exchange(found_, {}); }  // those since the last time
  // By register given lanes that may hold such a value: those that this pc uses, by its guard or in another way.
  LaneMask used(std::size_t pc, bool by_guard, const std::vector<LaneMask>& holding) const {
    LaneMask lanes = 0;
    for (const Use& use : uses_[pc])
      if (use.is_guard == by_guard) lanes |= holding[static_cast<std::size_t>(use.reg)];
    return lanes;
  }

 private:
  struct Use {
    std::int32_t reg;
    bool is_guard;  // of all lanes that stand there, not only of those that execute
    MessageId how;  // UseIsStored
  };
  std::vector<Use> uses_of(const Insn& insn) const;
  LaneMask using_lanes(const IssueEvent& event, const Use& use, LaneMask holding, const UndefinedLanes& shadow) const;
  bool is_meant(const IssueEvent& event, LaneMask holding) const;
  void report(const IssueEvent& event, const UndefinedLanes& shadow, std::int32_t reg, LaneMask lanes,
              const std::vector<std::int32_t>& origins, const Message& what, MessageId how);
  std::vector<FindingStep> steps(const UndefinedLanes& shadow, std::int32_t origin) const;
  Message told(const Origin& origin, bool loads) const;
  Message unnamed_place(const Origin& origin) const;
  Message edge_hint(const UndefinedLanes& shadow, std::int32_t origin) const;

  ShadowOf of_;
  const Machine* machine_ = nullptr;
  const Program* program_ = nullptr;
  std::vector<std::vector<Use>> uses_;                                    // by pc
  std::set<std::tuple<std::int32_t, std::int32_t, Origin::Birth>> seen_;  // pc, register
  std::vector<RunFinding> found_;
  struct Stored {
    Origin::Birth birth;
    RunFinding finding;
  };
  std::vector<Stored> stored_;  // in global memory
  std::optional<std::uint64_t> first_branch_;
};

// The code of using what was born so.
Finding finding_of(Origin::Birth birth);

}  // namespace warpsim
