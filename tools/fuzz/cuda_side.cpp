// A GPU as a side; see cuda_side.h.
#include "tools/fuzz/cuda_side.h"

#include <utility>
#include <variant>

#include "sim/machine/machine.h"

namespace warpsim::fuzz {
namespace {

// A job as the GPU gets it.
struct Prepared {
  std::size_t job = 0;  // its place in the call
  std::unique_ptr<Machine> machine;
  GpuJob gpu;
};

class CudaSide : public Side {
 public:
  explicit CudaSide(std::unique_ptr<CudaBackend> gpu) : gpu_(std::move(gpu)) {}
  std::string_view name() const override { return "GPU"; }
  bool works() const override { return gpu_->gpu().works(); }

  std::vector<Outcome> run(std::span<const Job* const> jobs) override {
    std::vector<Outcome> outcomes(jobs.size());
    std::vector<Prepared> prepared;
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      if (std::optional<Prepared> one = prepare(*jobs[k], k, outcomes[k])) prepared.push_back(std::move(*one));
    }
    run_together(prepared, outcomes);
    return outcomes;
  }

 private:
  static std::optional<Prepared> prepare(const Job& job, std::size_t place, Outcome& outcome) {
    const auto stop = [&](const std::string& why) {
      outcome.stopped = true;
      outcome.why = why;
      return std::nullopt;
    };
    auto created = Machine::create(job.program, job.config, job.arguments);
    if (const LaunchError* error = std::get_if<LaunchError>(&created)) return stop(error->message);
    Prepared one;
    one.job = place;
    one.machine = std::make_unique<Machine>(std::get<Machine>(std::move(created)));
    const std::string entry = "seed_" + std::to_string(job.source->seed) + "_" + std::to_string(place);  // in messages
    auto made = gpu_job(*one.machine, false, entry);
    if (const auto* unsupported = std::get_if<PtxUnsupported>(&made)) return stop(unsupported->message);
    one.gpu = std::get<GpuJob>(std::move(made));
    return one;
  }

  void run_together(std::span<const Prepared> some, std::vector<Outcome>& outcomes) {
    if (some.empty()) return;
    std::vector<PtxKernel> kernels;
    std::vector<GpuLaunch> launches;
    for (const Prepared& one : some) {
      kernels.push_back(one.gpu.kernel);
      launches.push_back(one.gpu.launch);
    }
    auto ran = gpu_->gpu().load_and_run(ptx_module(kernels), launches, Gpu::Compile::Plain);
    if (const GpuError* error = std::get_if<GpuError>(&ran)) {
      if (some.size() == 1 || !works()) {
        for (const Prepared& one : some) {
          outcomes[one.job].stopped = true;
          outcomes[one.job].why = error->message + (some.size() == 1 ? ""
                                                                     : ", from " + some.front().gpu.launch.entry +
                                                                           " to " + some.back().gpu.launch.entry);
        }
        return;
      }
      run_together(some.first(some.size() / 2), outcomes);
      run_together(some.subspan(some.size() / 2), outcomes);
      return;
    }
    for (std::size_t k = 0; k < some.size(); ++k) {
      const Program& program = some[k].machine->program();
      for (auto& [buffer, array] : std::get<std::vector<GpuRun>>(ran)[k].buffers) {
        const Param& p = program.params[static_cast<std::size_t>(program.find_param(buffer))];
        if (p.kind != Param::Kind::In) outcomes[some[k].job].buffers[buffer] = std::move(array);
      }
    }
  }

  std::unique_ptr<CudaBackend> gpu_;
};

}  // namespace

std::unique_ptr<Side> cuda_side(std::unique_ptr<CudaBackend> gpu) { return std::make_unique<CudaSide>(std::move(gpu)); }

}  // namespace warpsim::fuzz
