// A case on the GPU of this machine: from a program to a trace, as the simulator gives one.
//
// Shapes: run() writes the PTX, has the driver compile it, launches it on the case's own buffers and parameters, and
//         reads back what came of it. With events, the kernel records every instruction of every lane.
// Units:  seconds for the watchdog, words of 64 bits for logs.
// Errors: BackendError, with the exit code that it asks for.
// Source: isa/ptx_writer/ptx_writer.h, tools/cuda/driver/gpu.h.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "isa/program/lesson.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "sim/launch/launch.h"
#include "tools/cuda/driver/gpu.h"
#include "tools/support/exit_code.h"
#include "traces/model/trace.h"

namespace warpsim {

struct BackendError {
  tools::ExitCode code = tools::ExitCode::Unsupported;
  std::string id;  // "no-gpu", "unsupported", "gpu", "gpu-fault", or the launch error's code
  std::string message, hint;
};

// A program as the backend launches it: what `machine` was made for, which must outlive it.
struct GpuJob {
  PtxKernel kernel;
  GpuLaunch launch;  // without log_words
};
std::variant<GpuJob, PtxUnsupported> gpu_job(const Machine& machine, bool records = false, std::string entry = "");

class CudaBackend {
 public:
  static std::variant<std::unique_ptr<CudaBackend>, BackendError> open(unsigned seconds);

  Gpu& gpu() { return *gpu_; }
  const std::string& device() const { return gpu_->driver().device_name(); }

  // The program's own code. Its collectives are expanded, so the trace may have more instructions than the program.
  std::variant<Trace, BackendError> run(const Lesson& program, const PreparedCase& prepared, bool events);
  // A kernel of `module` with the program's own parameters, which somebody else wrote.
  std::variant<Trace, BackendError> run_kernel(CudaHandle module, const std::string& entry, const Lesson& program,
                                               const PreparedCase& prepared);

 private:
  explicit CudaBackend(std::unique_ptr<Gpu> gpu) : gpu_(std::move(gpu)) {}
  std::variant<GpuRun, BackendError> launch(const GpuJob& job);
  std::variant<Trace, BackendError> record(GpuJob job, const Lesson& lesson, const PreparedCase& prepared);

  std::unique_ptr<Gpu> gpu_;
};

BackendError to_backend_error(const GpuError& error);
BackendError to_backend_error(const LaunchError& error);
BackendError to_backend_error(const PtxUnsupported& unsupported);

}  // namespace warpsim
