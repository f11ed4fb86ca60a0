// Machine code made of jobs with the CUDA toolkit, and what a GPU's clocks said of it put into a capture.
//
// Shapes: what could not be made or measured is left out, each job with its reason.
// Units:  cycles.
// Errors: the reasons.
// Source: machine_jobs.h, machine_measure.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/cuda/benchmarks/clock_job.h"
#include "tools/cuda/benchmarks/machine_job.h"
#include "tools/cycles/machine_capture.h"

namespace warpsim::tools {

struct JobFault {
  std::string name, why;
};

// Where ptxas and nvcc may be, the likeliest first.
struct CodeMakers {
  std::vector<std::string> ptxas, nvcc;
};

struct MadeJobs {
  std::vector<MachineJob> jobs;
  std::vector<JobFault> not_made;
};
// `folder` keeps the cubins, by the hash of their text: what is there already is not made again.
MadeJobs make_jobs(std::span<const ClockJob> jobs, const CodeMakers& makers, const std::string& folder);

// Which GPU measure_jobs() found.
struct FoundGpu {
  std::string device, driver;
  unsigned target = 0, launches = 0;
};

struct Measured {
  std::optional<FoundGpu> gpu;
  std::string error;  // of a line that is no job's: why there is no GPU
  std::vector<JobFault> not_taken;
};
// Puts the lines of measure_jobs() into the capture, which may have other jobs.
Measured take_measured(MachineCapture& capture, std::span<const MachineJob> jobs, std::string_view lines);

}  // namespace warpsim::tools
