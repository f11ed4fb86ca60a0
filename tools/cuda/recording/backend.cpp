#include "tools/cuda/recording/backend.h"

#include <algorithm>
#include <utility>

#include "isa/program/expand.h"
#include "tools/cuda/recording/gpu_trace.h"

namespace warpsim {
namespace {

using tools::ExitCode;

constexpr std::uint32_t kFirstLogWords = 4096;
constexpr std::uint64_t kMostLogBytes = std::uint64_t{1} << 31;

GpuOutcome outcome_of(const CudaBackend& backend, const Lesson& lesson, const PreparedCase& prepared, GpuRun& run) {
  return {&lesson, backend.device(), prepared.name, std::move(run.buffers), prepared.expected};
}

}  // namespace

BackendError to_backend_error(const GpuError& error) {
  return {error.program_failed ? ExitCode::Trap : ExitCode::Unsupported, error.program_failed ? "gpu-fault" : "gpu",
          error.message, error.hint};
}
BackendError to_backend_error(const LaunchError& error) {
  return {ExitCode::Usage, error.code, error.message, error.hint};
}
BackendError to_backend_error(const PtxUnsupported& unsupported) {
  return {ExitCode::Unsupported, "unsupported", unsupported.message, unsupported.hint};
}

std::variant<std::unique_ptr<CudaBackend>, BackendError> CudaBackend::open(unsigned seconds) {
  std::string why;
  std::unique_ptr<Gpu> gpu = Gpu::open(seconds, why);
  if (!gpu) {
    return BackendError{
        ExitCode::Unsupported, "no-gpu", why,
        "run this where a GPU and its driver are; without one there is the simulator, and `crosscheck --against`"};
  }
  return std::unique_ptr<CudaBackend>(new CudaBackend(std::move(gpu)));
}

std::variant<GpuJob, PtxUnsupported> gpu_job(const Machine& machine, bool records, std::string entry) {
  PtxOptions options;
  options.lanes = machine.lanes();
  options.block = machine.config().block;
  options.entry = std::move(entry);
  options.backend = true;
  options.records = records;
  auto written = write_ptx(machine.program(), options);
  if (const auto* unsupported = std::get_if<PtxUnsupported>(&written)) return *unsupported;
  GpuJob job{std::get<PtxKernel>(std::move(written)), {}};
  job.launch.entry = job.kernel.entry;
  job.launch.machine = &machine;
  job.launch.block = ptx_block(options.lanes, options.block);
  job.launch.shared_bytes = job.kernel.dynamic_shared ? job.kernel.shared_bytes : 0;
  job.launch.backend = true;
  return job;
}

std::variant<GpuRun, BackendError> CudaBackend::launch(const GpuJob& job) {
  if (job.kernel.target > gpu_->driver().target()) {
    return BackendError{ExitCode::Unsupported, "unsupported",
                        job.kernel.entry + " needs sm_" + std::to_string(job.kernel.target) + "; " + device() +
                            " is sm_" + std::to_string(gpu_->driver().target()),
                        "an instruction of it is newer than this GPU"};
  }
  auto ran = gpu_->load_and_run(ptx_module({&job.kernel, 1}), {&job.launch, 1});
  if (const GpuError* error = std::get_if<GpuError>(&ran)) return to_backend_error(*error);
  return std::move(std::get<std::vector<GpuRun>>(ran).front());
}

std::variant<Trace, BackendError> CudaBackend::run(const Lesson& program, const PreparedCase& prepared, bool events) {
  const Lesson expanded = expand_collectives(program, prepared.config.lanes);
  const auto created = Machine::create(expanded, prepared.config, prepared.arguments);
  if (const LaunchError* error = std::get_if<LaunchError>(&created)) return to_backend_error(*error);
  const Machine& machine = std::get<Machine>(created);
  auto job = gpu_job(machine, events);
  if (const auto* unsupported = std::get_if<PtxUnsupported>(&job)) return to_backend_error(*unsupported);
  if (events) return record(std::get<GpuJob>(std::move(job)), expanded, prepared);
  auto ran = launch(std::get<GpuJob>(job));
  if (const BackendError* error = std::get_if<BackendError>(&ran)) return *error;
  return gpu_result(machine, outcome_of(*this, expanded, prepared, std::get<GpuRun>(ran)));
}

// Twice, if the first log was too short.
std::variant<Trace, BackendError> CudaBackend::record(GpuJob job, const Lesson& lesson, const PreparedCase& prepared) {
  GpuLaunch& plan = job.launch;
  const Machine& machine = *plan.machine;
  const std::uint64_t threads = plan.block.count() * machine.config().grid.count();
  const std::uint64_t most = kMostLogBytes / 8 / threads;
  for (std::uint64_t words = std::min<std::uint64_t>(kFirstLogWords, most); words != 0 && words <= most;) {
    plan.log_words = static_cast<std::uint32_t>(words);
    auto ran = launch(job);
    if (const BackendError* error = std::get_if<BackendError>(&ran)) return *error;
    GpuRun& run = std::get<GpuRun>(ran);
    const GpuLog log{std::move(run.log), plan.log_words, plan.block.count()};
    const std::uint64_t wanted = log.wanted();
    if (wanted <= words) return gpu_trace(machine, log, outcome_of(*this, lesson, prepared, run));
    words = wanted;
  }
  return BackendError{ExitCode::Unsupported, "unsupported",
                      "the trace of " + std::to_string(threads) + " threads is longer than the " +
                          std::to_string(kMostLogBytes >> 20) + " MiB that are set aside for it",
                      "trace a smaller launch: --grid, --block; `run` has no such limit"};
}

std::variant<Trace, BackendError> CudaBackend::run_kernel(CudaHandle module, const std::string& entry,
                                                          const Lesson& program, const PreparedCase& prepared) {
  const auto created = Machine::create(program, prepared.config, prepared.arguments);
  if (const LaunchError* error = std::get_if<LaunchError>(&created)) return to_backend_error(*error);
  const Machine& machine = std::get<Machine>(created);
  GpuLaunch plan;
  plan.entry = entry;
  plan.machine = &machine;
  plan.block = machine.config().block;
  auto ran = gpu_->run(module, {&plan, 1});
  if (const GpuError* error = std::get_if<GpuError>(&ran)) return to_backend_error(*error);
  return gpu_result(machine, outcome_of(*this, program, prepared, std::get<std::vector<GpuRun>>(ran).front()));
}

}  // namespace warpsim
