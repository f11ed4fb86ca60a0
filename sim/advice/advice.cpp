// The parts of the advice, side by side.
#include "sim/advice/advice.h"

#include "sim/machine/machine.h"

namespace warpsim {

void Advice::on_start(const Machine& machine) {
  found_.clear();
  memory_.begin(machine);
  idle_.begin(machine);
  shuffles_.begin(machine);
  races_.on_start(machine);
}

void Advice::on_issue(const IssueEvent& event) {
  memory_.on_issue(event);
  idle_.on_issue(event);
  shuffles_.on_issue(event);
  races_.on_issue(event);
}

void Advice::on_memory(const MemoryEvent& event) {
  memory_.on_memory(event);
  if (event.lanes != 0) races_.on_memory(event);
}

void Advice::on_mask(const MaskEvent& event) {
  idle_.on_mask(event);
  shuffles_.on_mask(event);
}

void Advice::on_finish(const Machine& machine, const RunResult&) {
  for (const Race& race : races_.found())
    if (race.equal_stores) found_.push_back(finding_of(race, machine.program()));
  memory_.finish(found_);
  idle_.finish(found_);
  shuffles_.finish(found_);
}

}  // namespace warpsim
