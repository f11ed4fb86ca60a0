// Kernels that others wrote, as jobs: PTX that nvcc made, and a description of a launch (tests/samples).
//
// Shapes: "samples/NAME" is one block of the launch, which has a multiprocessor to itself; "grids/NAME" the whole grid.
// Units:  warps of the whole launch.
// Errors: a sentence, why it is no job.
// Source: clocked_ptx.h; isa/ptx/ptx_lesson.h.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tools/cuda/benchmarks/clock_job.h"

namespace warpsim {

struct Sample {
  std::string name, ptx, description;
};

// One job, or two where the grid has several blocks; else why there is none.
std::variant<std::vector<ClockJob>, std::string> sample_jobs(const Sample& sample);

bool is_sample(std::string_view job);

}  // namespace warpsim
