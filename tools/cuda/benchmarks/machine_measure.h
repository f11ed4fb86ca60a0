// Jobs of machine code on this machine's GPU: what its clocks say of every warp, in many launches of each.
//
// Shapes: a job is launched once to warm up, then `launches` times, each with memory of its own; or each time as the
//         first launch of a module that has just been loaded, so that no cache has its code. A child process does
//         it, which writes a line as soon as a job is measured; another goes on behind a job that has ended it.
// Units:  cycles, seconds.
// Errors: a job's `error`; measure_jobs() says why there is nothing at all.
// Source: machine_job.h; CUDA driver API 13.0.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sim/timing/l2_map.h"
#include "tools/cuda/benchmarks/machine_job.h"
#include "tools/cuda/driver/gpu.h"

namespace warpsim {

inline constexpr unsigned kMachineLaunches = 21;

struct MeasuredJob {
  std::vector<WarpClocks> launches;
  std::string difference;  // "output[3] is not what the simulator gives"; "" if no launch left anything else
};

// Launches jobs one after another; a module that several use is loaded once.
class JobRunner {
 public:
  explicit JobRunner(Gpu& gpu) : gpu_(&gpu) {}
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;
  ~JobRunner();
  // Keeps the GPU busy for so long, since an idle one has a slow clock.
  std::string wake(double seconds);
  // Memory for all of them, so that none of them moves it.
  std::string reserve_for(std::span<const MachineJob> jobs, unsigned launches);
  // The cycles that a load of each piece (L2Map) takes from L2, of the first `bytes` of that memory, as they are seen
  // by the SM on which a launch of one block runs: the first load since a copy to the device, and later ones.
  std::variant<L2Map, std::string> distances(std::uint64_t bytes);
  std::variant<MeasuredJob, std::string> run(const MachineJob& job, unsigned launches, bool loads_each = false);

 private:
  std::string load(const MachineJob& job);
  std::string load_anew(const MachineJob& job);
  std::string reserve(std::uint64_t bytes);
  std::string launch(const MachineJob& job, const JobPlaces& places, std::uint64_t place);
  std::string empty_caches();
  std::string distances(CudaHandle kernel, std::vector<std::uint16_t>& cycles, unsigned turns);

  Gpu* gpu_;
  Contents code_;
  CudaHandle module_ = nullptr;
  CudaPointer memory_ = 0, filler_ = 0;
  std::uint64_t memory_bytes_ = 0;
};

struct MeasureOptions {
  std::string out;            // a file: a JSON object a line
  double seconds = 0;         // after which no job begins any more; 0: none
  unsigned job_seconds = 20;  // what ends a process
  bool loads_each = false;    // each launch is the first of its module
  bool without_gpu = false;   // clocks and outputs are made up, to try all the rest
};
// "" or why it stopped. Jobs that `out` already has are left out. Without jobs the child only says which GPU there is.
std::string measure_jobs(std::span<const MachineJob> jobs, const MeasureOptions& options);

// `first`: of first launches.
std::string to_json(const MachineJob& job, const std::variant<MeasuredJob, std::string>& measured, bool first);

}  // namespace warpsim
