// Fitting a profile's numbers of cycles to what a GPU's clocks said.
//
// Shapes: a parameter is one number of the profile, or several that were equal at the start: a class's latencies to all
//         readers that had the same one. Coordinate descent: each parameter is moved by that of ±1, ±2, ±4 … by which
//         the sum of the squared relative errors of the kernels falls most, those first that gain most; then the
//         latencies are taken apart by reader, and it goes on until nothing improves. The same kernels and base give
//         the same profile.
// Units:  cycles; of what a profile says in fractions, quarters.
// Errors: none.
// Source: sim/timing/profile.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/timing/profile.h"
#include "tools/cuda/benchmarks/clock_job.h"

namespace warpsim::tools {

struct CalibrationKernel {
  const ClockJob* job = nullptr;
  std::uint64_t gpu = 0;  // cycles
};

struct Calibrated {
  TimingProfile profile;
  double mean_before = 0, mean_after = 0;  // absolute relative error
  std::size_t changed = 0;                 // numbers that are not the base's
  std::vector<std::string> unmeasured;     // "classes/fence/latency": no kernel tells them
};

// `progress` is told of each round: how many improvements it made, and the mean error then.
Calibrated calibrate(const TimingProfile& base, const std::vector<CalibrationKernel>& kernels,
                     const std::function<void(std::size_t improvements, double mean)>& progress = {});

}  // namespace warpsim::tools
