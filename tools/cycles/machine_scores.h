// How simulated cycles of machine code compare with a GPU's: what was compared, what was refused, and groups of both.
//
// Shapes: an outcome is a kernel that was compared, or why not. Classes are scored as those of programs
//         (cycle_scores.h); groups are the catalogue's programs, whatever their class.
// Units:  errors are fractions of the GPU's cycles.
// Errors: none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cycles/cycle_scores.h"
#include "tools/cycles/machine_simulation.h"

namespace warpsim::tools {

struct MachineOutcome {
  ComparedKernel kernel;  // its model is 0 if it is refused
  JobRefusal refusal;
  bool is_refused() const { return !refusal.why.empty(); }
};

// Outcomes of one kind: programs from begin to end, the parts of programs that were measured, CUDA kernels.
struct MachineGroup {
  std::string_view name;
  std::size_t programs = 0, jobs = 0, refused = 0;
  std::size_t within_mean = 0, within_worst = 0;  // jobs within kMachineCodeLimits
  double mean = 0, worst = 0;
};
// Those that have jobs.
std::vector<MachineGroup> machine_groups(const std::vector<MachineOutcome>& outcomes);

std::string groups_text(const std::vector<MachineGroup>& groups);
std::string groups_markdown(const std::vector<MachineGroup>& groups);
// Each reason once, with how many kernels it has, and the first of them; "" if there are none.
std::string refusals_text(const std::vector<MachineOutcome>& outcomes);
std::string refusals_markdown(const std::vector<MachineOutcome>& outcomes);
std::string to_json(const MachineGroup& group);
std::string to_json(const MachineOutcome& outcome);

}  // namespace warpsim::tools
