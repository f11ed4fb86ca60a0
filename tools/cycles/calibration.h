// Fits a profile's numbers of cycles to the cycles that a GPU's clock measured.
//
// Shapes: a parameter is one number of the profile, or several that are equal at the start: a class's latencies to all
//         readers with the same latency. Coordinate descent: each parameter moves by the step of ±1, ±2, ±4 … that
//         reduces the sum of the kernels' squared relative errors most; the parameter that gains most moves first. When
//         nothing improves, each reader's latency becomes a parameter of its own, and the descent continues until
//         nothing improves again. The same kernels and base give the same profile.
// Units:  cycles; numbers that a profile has as fractions move by quarters.
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
  std::size_t changed = 0;                 // parameters that differ from the base's
  std::vector<std::string> unmeasured;     // "classes/fence/latency": no kernel depends on them
};

// `progress` is called after each round with its number of improvements and the mean error.
Calibrated calibrate(const TimingProfile& base, const std::vector<CalibrationKernel>& kernels,
                     const std::function<void(std::size_t improvements, double mean)>& progress = {});

}  // namespace warpsim::tools
