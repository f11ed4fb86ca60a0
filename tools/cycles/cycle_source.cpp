#include "tools/cycles/cycle_source.h"

#include <utility>

#include "isa/text/number_text.h"
#include "tools/cuda/benchmarks/machine_code.h"
#include "tools/cuda/recording/capture.h"
#include "tools/cycles/captured_cycles.h"
#include "tools/support/output.h"

namespace warpsim::tools {
namespace {

constexpr const char* kBuiltIn = "h200";
constexpr unsigned kLaunches = 21;  // of each kernel: the clocks of one warp agree, those of many nearly

}  // namespace

std::optional<CycleSource> CycleSource::open(Session& session, const std::string& file) {
  CycleSource source(session);
  if (file.empty() ? !source.open_device() : !source.read(file)) return std::nullopt;
  return source;
}

bool CycleSource::read(const std::string& file) {
  if (file == kBuiltIn) {
    capture_ = captured_cycles();
    return true;
  }
  std::string text, error;
  if (!read_file(file, text, error)) {
    session_->reply.fail(ExitCode::BadInput, "file", error,
                         "`warpsim crosscheck --cycles --record FILE` makes one; h200 is built in");
    return false;
  }
  auto read = read_cycle_capture(text);
  if (const std::string* why = std::get_if<std::string>(&read)) {
    session_->reply.fail(ExitCode::BadInput, "capture", input_name(file) + ": " + *why,
                         "make it again with `warpsim crosscheck --cycles --record`");
    return false;
  }
  capture_ = std::get<CycleCapture>(std::move(read));
  return true;
}

bool CycleSource::open_device() {
  const bool calibrates = session_->options.verb == "calibrate";
  backend_ =
      open_gpu(*session_, calibrates ? "`calibrate --from FILE`, or --from h200 for what an H200's clocks said"
                                     : "`crosscheck --cycles --against FILE`, or --against h200, which is built in");
  if (!backend_) return false;
  cuobjdump_ = find_cuobjdump();
  const std::string& record = session_->options.record;
  capture_.device = backend_->device();
  capture_.driver = backend_->gpu().driver().driver_version();
  capture_.target = backend_->gpu().driver().target();
  capture_.date = today();
  capture_.command = "warpsim crosscheck --cycles --record " + (record.empty() ? "FILE" : record);
  capture_.launches = kLaunches;
  return true;
}

bool CycleSource::measure(const ClockJob& job) {
  if (!backend_->gpu().works()) {  // what made it so was said
    ++not_made_;
    return false;
  }
  const auto measured = measure_region(backend_->gpu(), job, kLaunches, cuobjdump_);
  if (const GpuError* error = std::get_if<GpuError>(&measured)) {
    const BackendError why = to_backend_error(*error);
    session_->reply.fail(why.code, why.id, job.name + ": " + why.message, why.hint);
    return false;
  }
  const MeasuredRegion& region = std::get<MeasuredRegion>(measured);
  if (!region.difference.empty()) {
    session_->reply.fail(ExitCode::Mismatch, "mismatch", job.name + ": " + region.difference,
                         "its cycles are those of something else, and are not taken");
    return false;
  }
  CapturedCycles kernel{job.name, job.warps, 0, 0, 0, hash_of(job.ptx), pack_opcodes(region.opcodes)};
  set_cycles(kernel, region.cycles);
  capture_.kernels[job.name] = std::move(kernel);
  return true;
}

const CapturedCycles* CycleSource::of(const ClockJob& job) {
  if (backend_ && !measure(job)) return nullptr;
  const auto found = capture_.kernels.find(job.name);
  if (found == capture_.kernels.end()) {
    without_.push_back(job.name);
    return nullptr;
  }
  if (found->second.ptx == hash_of(job.ptx)) return &found->second;
  stale_.push_back(job.name);
  return nullptr;
}

std::string CycleSource::where() const {
  return capture_.device + ", driver for CUDA " + capture_.driver + ", " + capture_.date;
}

std::string CycleSource::left_out() const {
  std::string text;
  if (!without_.empty()) text += "; no capture of " + counted(without_.size(), "kernel");
  if (!stale_.empty()) text += "; " + counted(stale_.size(), "kernel") + " changed since the capture: record it again";
  if (not_made_ != 0)
    text += "; " + counted(not_made_, "kernel") + " not measured, because the GPU has stopped working";
  return text;
}

}  // namespace warpsim::tools
