#include "tools/cycles/machine_source.h"

#include <span>
#include <utility>
#include <variant>

#include "host/exec/temporary_folder.h"
#include "isa/text/number_text.h"
#include "tools/cuda/benchmarks/machine_measure.h"
#include "tools/cuda/recording/capture.h"
#include "tools/cycles/cycle_request.h"
#include "tools/cycles/machine_record.h"
#include "tools/session/cuda_source.h"
#include "tools/session/gpu_session.h"
#include "tools/support/output.h"

namespace warpsim::tools {
namespace {

constexpr std::string_view kBuiltInCode = "h200";
constexpr const char* kBuiltInHint = "what an H200's clocks said is built in: --against h200";
constexpr unsigned kCodeTarget = 90;
constexpr std::size_t kNamedFaults = 10;  // the others are counted

void report_faults(Session& session, const std::vector<JobFault>& faults) {
  for (std::size_t k = 0; k < std::min(faults.size(), kNamedFaults); ++k) {
    const bool is_other = faults[k].why.ends_with("is not what the simulator gives");
    session.reply.fail(is_other ? ExitCode::Mismatch : ExitCode::Trap, is_other ? "mismatch" : "gpu-fault",
                       faults[k].name + ": " + faults[k].why, "its cycles are not taken");
  }
  if (faults.size() > kNamedFaults)
    session.reply.note("and " + std::to_string(faults.size() - kNamedFaults) + " more are not taken");
}

// What could not be made: of all for want of ptxas nothing is left, of CUDA C++ for want of nvcc the others are.
void report_not_made(Session& session, const std::vector<JobFault>& faults) {
  std::vector<std::string> names;
  for (const JobFault& fault : faults) names.push_back(fault.name);
  if (!faults.empty()) warn_of_kernels(session, names, "not made", faults.front().name + ": " + faults.front().why);
}

}  // namespace

std::optional<MachineCapture> read_capture(Session& session, const std::string& file) {
  if (file == kBuiltInCode) return captured_machine_code();
  std::string text, error;
  if (!read_file(file, text, error)) {
    session.reply.fail(ExitCode::BadInput, "file", error, kBuiltInHint);
    return std::nullopt;
  }
  auto read = read_machine_capture(text);
  if (MachineCapture* const capture = std::get_if<MachineCapture>(&read)) return std::move(*capture);
  session.reply.fail(ExitCode::BadInput, "capture", input_name(file) + ": " + std::get<std::string>(read),
                     kBuiltInHint);
  return std::nullopt;
}

bool has_gpu_for_code(Session& session) {
  const std::optional<unsigned> seconds = gpu_seconds(session);
  if (!seconds) return false;
  const host::TemporaryFolder folder;
  const std::string out = (folder.path() / "gpu").string();
  measure_jobs({}, {out, 0, *seconds});
  std::string lines, error;
  read_file(out, lines, error);
  MachineCapture none;
  const Measured found = take_measured(none, {}, lines);
  const auto refuse = [&session](const std::string& message) {
    session.reply.fail(ExitCode::Unsupported, "gpu", message,
                       "--against h200 is what an H200's clocks said, and needs no GPU");
    return false;
  };
  if (!found.gpu) return refuse(found.error.empty() ? "the GPU of this machine does not answer" : found.error);
  if (found.gpu->target == kCodeTarget) return true;
  return refuse("the machine code is made for sm_90, and " + found.gpu->device + " is sm_" +
                std::to_string(found.gpu->target));
}

std::optional<MachineCapture> measure_here(Session& session, const std::vector<ClockJob>& jobs,
                                           const std::vector<MachineJob>& given) {
  const host::TemporaryFolder folder;
  MadeJobs made = make_jobs(jobs, {places_of_toolkit_program("ptxas"), places_of_toolkit_program("nvcc")},
                            (folder.path() / "cubins").string());
  report_not_made(session, made.not_made);
  made.jobs.insert(made.jobs.end(), given.begin(), given.end());
  if (made.jobs.empty()) {
    session.reply.fail(ExitCode::Unsupported, "unsupported", "there is no machine code to measure",
                       "ptxas and nvcc come with the CUDA toolkit; " + std::string(kBuiltInHint));
    return std::nullopt;
  }
  const unsigned seconds = gpu_seconds(session).value_or(1);
  const std::string out = (folder.path() / "measured").string();
  const std::string stopped = measure_jobs(made.jobs, {out, static_cast<double>(seconds), seconds});
  std::string lines, error;
  if (!read_file(out, lines, error)) return session.reply.fail(ExitCode::Unsupported, "gpu", stopped), std::nullopt;
  MachineCapture capture;
  capture.date = today();
  capture.command = "warpsim crosscheck --cycles --machine-code --record " +
                    (session.options.record.empty() ? "FILE" : session.options.record);
  const Measured measured = take_measured(capture, made.jobs, lines);
  report_faults(session, measured.not_taken);
  if (!stopped.empty())
    session.reply.fail(ExitCode::Unsupported, "gpu", stopped, "--gpu-seconds N gives it longer; NAMEs choose fewer");
  return capture;
}

}  // namespace warpsim::tools
