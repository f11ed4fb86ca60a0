// The statistics of a run from its trace: the same numbers as StatisticsCounter has when it watches the run.
//
// Shapes: the records of one whole run, in their order: head(), event() for each, outcome().
// Units:  those of sim/statistics/statistics.h.
// Errors: reason_against() says of which traces there are none; of these nothing may be asked.
// Source: traces/FORMAT.md; local memory's addresses: its table of `memory`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/program/program.h"
#include "sim/statistics/statistics.h"
#include "sim/timing/profile.h"
#include "traces/model/trace.h"

namespace warpsim {

class TraceStatistics {
 public:
  // Why a trace with this head says too little: it is a part of a run, or a GPU's, without cycles; "": it has all.
  static std::string reason_against(const TraceHead& head);

  void head(const TraceHead& head);
  void event(const TraceEvent& event);
  void outcome(const TraceOutcome& outcome) { counter_.finish(outcome.cycles); }
  const Statistics& statistics() const { return counter_.statistics(); }
  // What a trace says of its profile: names, and the pipes that were waited for. Null: the run was not timed.
  const TimingProfile* profile() const { return profile_ ? &*profile_ : nullptr; }

 private:
  std::int32_t pipe_called(const std::string& name);
  void memory(const TraceMemory& memory, const TraceMemory* source);

  TraceHead head_;
  std::vector<Insn> code_;  // by pc: the instruction and its type alone
  std::optional<TimingProfile> profile_;
  StatisticsCounter counter_;
  std::int32_t sub_core_ = -1;                                          // of the event
  std::map<std::pair<std::uint32_t, std::uint32_t>, LaneMask> exited_;  // by block and warp
};

}  // namespace warpsim
