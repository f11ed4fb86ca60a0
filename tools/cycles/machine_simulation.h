// A job of machine code in the simulator: the cycles that its own clock reads say.
//
// Shapes: the launch, the buffers at their addresses and the parameters are the job's, as a GPU is given them. With
//         several passes clocks are the last pass's (clocked.h). L1 is empty when it begins, and L2 has the buffers,
//         but those of a cold job.
// Units:  cycles.
// Errors: a refusal: what has no meaning in the simulator, a fault, or outputs that are not the job's. Never a number.
// Source: sim/sass/code_run.h.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "isa/sass/cubin.h"
#include "sim/timing/l2_map.h"
#include "sim/timing/profile.h"
#include "tools/cuda/benchmarks/machine_job.h"

namespace warpsim::tools {

struct JobRefusal {
  std::string why;    // "SHFL.UP has no meaning here", without the place, so that several can be counted
  std::string where;  // "at 0x120, SHFL.UP …"; "": there is none
};

struct SimulatedJob {
  WarpClocks clocks;
  std::uint64_t instructions = 0;  // of warps
};

struct SimulatedLaunch {
  bool is_first = false;      // as the first launch of a module, whose code no cache has
  const L2Map* l2 = nullptr;  // how far away in L2 the job's memory lies, by its addresses; null: it is not known
};

// Of the map of all launches' memory the part that the launch at `place` had, at the job's addresses; empty if it does
// not reach so far.
L2Map l2_of(const MachineJob& job, unsigned place, const L2Map& all);

// `cubin` has the kernel that the job names; its own Contents are not looked at.
std::variant<SimulatedJob, JobRefusal> simulate_machine_job(const MachineJob& job, const sass::Cubin& cubin,
                                                            const TimingProfile& profile,
                                                            const SimulatedLaunch& as = {});

}  // namespace warpsim::tools
