// The source of a GPU's cycles: a measurement on this machine's GPU, or a captured one in a file.
//
// Shapes: one source a run of the command. of() measures a kernel, or looks it up; what it could not give is counted.
// Units:  cycles.
// Errors: through the Reply.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/cuda/benchmarks/clock_job.h"
#include "tools/cycles/cycle_capture.h"
#include "tools/session/gpu_session.h"
#include "tools/session/session.h"

namespace warpsim::tools {

class CycleSource {
 public:
  // A capture, the built-in one if it is called "h200", or with "" the GPU of this machine.
  static std::optional<CycleSource> open(Session& session, const std::string& file);

  // Nothing if there is no such kernel in the capture, it has changed since, it does not run, or computes something
  // else there.
  const CapturedCycles* of(const ClockJob& job);
  const CycleCapture& capture() const { return capture_; }  // all that was measured
  // "NVIDIA H200, driver for CUDA 13.0, 2026-11-22"
  std::string where() const;
  bool lists_code() const { return !backend_ || !cuobjdump_.empty(); }
  const std::vector<std::string>& without() const { return without_; }  // kernels that are not in the capture
  const std::vector<std::string>& stale() const { return stale_; }      // … that are others by now
  std::size_t not_made() const { return not_made_; }                    // … because the GPU has stopped working
  std::string left_out() const;                                         // "; no capture of 3 kernels"

 private:
  explicit CycleSource(Session& session) : session_(&session) {}
  bool read(const std::string& file);
  bool open_device();
  bool measure(const ClockJob& job);

  Session* session_;
  std::unique_ptr<CudaBackend> backend_;
  std::string cuobjdump_;
  CycleCapture capture_;
  std::vector<std::string> without_, stale_;
  std::size_t not_made_ = 0;
};

}  // namespace warpsim::tools
