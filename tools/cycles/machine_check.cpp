#include "tools/cycles/machine_check.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <utility>

#include "isa/text/number_text.h"
#include "programs/embedded.h"
#include "tools/cuda/benchmarks/machine_jobs.h"
#include "tools/cuda/recording/capture.h"
#include "tools/cycles/cycle_request.h"
#include "tools/cycles/cycle_scores.h"
#include "tools/cycles/job_file.h"
#include "tools/cycles/machine_capture.h"
#include "tools/cycles/machine_scores.h"
#include "tools/cycles/machine_simulation.h"
#include "tools/cycles/machine_source.h"
#include "tools/session/loading.h"
#include "tools/session/profile_option.h"
#include "tools/support/files.h"
#include "tools/support/json_object.h"
#include "tools/support/output.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

constexpr std::string_view kMachineProfile = "h200", kFirstLaunches = "first launches";

// What became of a job before it was simulated, or after.
struct Checked {
  enum class Kind : std::uint8_t { Compared, NoCapture, Stale } kind = Kind::Compared;
  MachineOutcome outcome;
  std::optional<MachineOutcome> first;  // of its first launch, if that was measured
};

// As kKernelClasses has it.
std::string_view class_of(std::string_view cls) {
  for (const KernelClass& one : kKernelClasses)
    if (one.name == cls) return one.name;
  return "";
}

// What was measured of it, into what is compared; null: nothing.
template <class Job>
const MeasuredCode* begin_check(const Job& wanted, const MachineCapture& capture, Checked& out) {
  ComparedKernel& kernel = out.outcome.kernel;
  kernel = {wanted.name, class_of(wanted.cls), wanted.set, wanted.warps, 0, 0, 0, 0, {CodeVerdict::Kind::Same, ""}};
  const auto found = capture.kernels.find(wanted.name);
  if (found == capture.kernels.end()) {
    out.kind = Checked::Kind::NoCapture;
    return nullptr;
  }
  const MeasuredCode& measured = found->second;
  // How far away in L2 a buffer lies differs by launch, by 200 cycles and more: the model's lie near.
  kernel.gpu = measured.least;
  kernel.least = measured.least;
  kernel.most = measured.most;
  return &measured;
}

void simulate(const MachineJob& job, const sass::Cubin& cubin, const TimingProfile& profile, MachineOutcome& outcome,
              const SimulatedLaunch& as) {
  auto simulated = simulate_machine_job(job, cubin, profile, as);
  if (JobRefusal* why = std::get_if<JobRefusal>(&simulated)) outcome.refusal = std::move(*why);
  else outcome.kernel.model = std::get<SimulatedJob>(simulated).clocks.cycles();
}

// The launch that took least, and if it was measured its first one.
void simulate(const MachineJob& job, const sass::Cubin& cubin, const TimingProfile& profile,
              const MachineCapture& capture, const MeasuredCode& measured, Checked& out) {
  const L2Map l2 = measured.place == 0 ? L2Map{} : l2_of(job, measured.place, capture.l2);
  simulate(job, cubin, profile, out.outcome, {false, l2.first.empty() ? nullptr : &l2});
  if (measured.first == 0 || out.outcome.is_refused()) return;
  MachineOutcome& first = out.first.emplace();
  first.kernel = {"first/" + job.name,
                  class_of(kFirstLaunches),
                  job.set,
                  job.warps,
                  measured.first,
                  measured.first,
                  measured.first,
                  0,
                  {CodeVerdict::Kind::Same, ""}};
  simulate(job, cubin, profile, first, {true, nullptr});
}

Checked check(const ClockJob& wanted, const MachineCapture& capture, const TimingProfile& profile) {
  Checked out;
  const MeasuredCode* const measured = begin_check(wanted, capture, out);
  if (measured == nullptr) return out;
  const auto made = machine_job(wanted);
  if (const std::string* why = std::get_if<std::string>(&made)) {
    out.outcome.refusal.why = *why;
    return out;
  }
  const MachineJob& job = std::get<MachineJob>(made);
  if (job_hash(job) != measured->job) out.kind = Checked::Kind::Stale;
  else simulate(job, cubin_of(capture, *measured, job.entry), profile, capture, *measured, out);
  return out;
}

// Of a file, which has the machine code.
Checked check(const MachineJob& job, const MachineCapture& capture, const TimingProfile& profile) {
  Checked out;
  const MeasuredCode* const measured = begin_check(job, capture, out);
  if (measured == nullptr) return out;
  auto read = sass::read_cubin(std::as_bytes(std::span(*job.code)));
  if (const auto* const error = std::get_if<sass::CubinError>(&read)) out.outcome.refusal.why = error->message;
  else if (job_hash(job) != measured->job || hash_of(*job.code) != measured->code) out.kind = Checked::Kind::Stale;
  else simulate(job, std::get<sass::Cubin>(read), profile, capture, *measured, out);
  return out;
}

class MachineCheck {
 public:
  explicit MachineCheck(Session& session) : session_(session) {}
  void run();

 private:
  bool prepare();
  bool open_capture();
  bool read_files();
  void gather();
  bool measure();
  void simulate();
  void report(const std::vector<Score>& all);
  void judge(const std::vector<Score>& all);
  void answer(const std::vector<Score>& all);

  Session& session_;
  std::optional<MachineCapture> capture_;
  Timing timing_;
  JobList list_;
  std::vector<std::string> files_;
  std::vector<MachineJob> of_files_;
  std::vector<MachineOutcome> outcomes_;
  std::vector<ComparedKernel> compared_;
  std::vector<std::string> without_, stale_;
  bool has_files_alone_ = true;  // nothing else was asked for
};

bool MachineCheck::open_capture() {
  if (session_.options.against.empty()) return has_gpu_for_code(session_);
  capture_ = read_capture(session_, session_.options.against);
  return capture_.has_value();
}

bool MachineCheck::prepare() {
  if (!cycle_options_fit(session_)) return false;
  const ChosenProfile* const chosen = chosen_profile(session_, kMachineProfile);
  if (chosen == nullptr) return false;
  timing_ = chosen->bounds.front();
  if (timing_ && timing_->machine_code) return open_capture();
  session_.reply.fail(ExitCode::Unsupported, "unsupported",
                      "the profile " + (timing_ ? timing_->name : "lockstep") + " has no numbers for machine code",
                      "h200 has them");
  return false;
}

// NAMEs that are files of jobs.
bool MachineCheck::read_files() {
  for (const std::string& name : session_.options.names) {
    if (!is_file(name)) {
      has_files_alone_ = false;
      continue;
    }
    std::string bytes, error;
    if (!read_file(name, bytes, error)) return session_.reply.fail(ExitCode::BadInput, "file", error), false;
    auto read = read_job_file(bytes);
    if (const std::string* const why = std::get_if<std::string>(&read))
      return session_.reply.fail(ExitCode::BadInput, "jobs", input_name(name) + ": " + *why,
                                 "traces/captures/README.md says what makes a file of jobs"),
             false;
    files_.push_back(name);
    for (MachineJob& job : std::get<std::vector<MachineJob>>(read)) of_files_.push_back(std::move(job));
  }
  has_files_alone_ = has_files_alone_ && !files_.empty();
  return true;
}

void MachineCheck::gather() {
  if (has_files_alone_) return;
  const JobFilter wanted = [this](std::string_view name) { return is_wanted(session_, name); };
  add_kernel_jobs(list_, wanted);
  std::vector<std::string> all = files_;
  for (const auto* kernels : {&micro_benchmarks(), &machine_benchmarks()})
    for (const MicroBenchmark& one : *kernels) all.push_back(one.name);
  for (const CatalogueEntry& entry : session_.catalogue.entries()) {
    if (shows_mistakes(entry.group) || entry.group == "litmus") continue;
    const std::optional<Lesson> program = assemble_program(session_, entry);
    if (!program) continue;
    all.push_back(entry.full_name());
    add_program_jobs(list_, *program, wanted);
  }
  for (const ClockJob& job : list_.jobs) all.push_back(job.name);
  for (const auto& [name, why] : list_.left_out) all.push_back(name);
  report_unknown_names(session_, all);
}

bool MachineCheck::measure() {
  capture_ = measure_here(session_, list_.jobs, of_files_);
  if (capture_ && !capture_->kernels.empty() && !session_.options.record.empty())
    session_.reply.write_to(session_.options.record, to_json(*capture_));
  return capture_.has_value();
}

// On all processors: a job has a machine and memory of its own.
void MachineCheck::simulate() {
  const std::size_t programs = list_.jobs.size();
  std::vector<Checked> checked(programs + of_files_.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k = next++; k < checked.size(); k = next++)
      checked[k] = k < programs ? check(list_.jobs[k], *capture_, *timing_)
                                : check(of_files_[k - programs], *capture_, *timing_);
  };
  std::vector<std::thread> others;
  const std::size_t threads = std::min<std::size_t>(std::thread::hardware_concurrency(), checked.size());
  for (std::size_t k = 1; k < threads; ++k) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  for (Checked& one : checked) {
    if (one.kind == Checked::Kind::NoCapture) without_.push_back(one.outcome.kernel.name);
    else if (one.kind == Checked::Kind::Stale) stale_.push_back(one.outcome.kernel.name);
    else outcomes_.push_back(std::move(one.outcome));
    if (one.first) outcomes_.push_back(std::move(*one.first));
  }
  for (const MachineOutcome& one : outcomes_)
    if (!one.is_refused()) compared_.push_back(one.kernel);
}

void MachineCheck::report(const std::vector<Score>& all) {
  const bool markdown = session_.options.markdown;
  const std::vector<MachineGroup> groups = machine_groups(outcomes_);
  const std::string pieces[] = {markdown ? scores_markdown(all) : scores_text(all, kMachineCodeLimits),
                                markdown ? groups_markdown(groups) : groups_text(groups),
                                markdown ? refusals_markdown(outcomes_) : refusals_text(outcomes_)};
  for (const std::string& piece : pieces)
    if (!piece.empty() && !outcomes_.empty()) session_.reply.text(piece + "\n");
  const auto is_short = [](const ComparedKernel& kernel) { return kernel.gpu < kFewestCycles; };
  if (const auto few = std::count_if(compared_.begin(), compared_.end(), is_short); few != 0)
    session_.reply.text(counted(static_cast<std::size_t>(few), "kernel") + " of less than " +
                        std::to_string(kFewestCycles) + " cycles: not scored\n");
  const auto first = static_cast<std::size_t>(std::count_if(
      outcomes_.begin(), outcomes_.end(), [](const MachineOutcome& one) { return one.kernel.cls == kFirstLaunches; }));
  session_.reply.text(counted(outcomes_.size() - first, "kernel") +
                      (first == 0 ? "" : ", " + std::to_string(first) + " of them at their first launch, too,") +
                      " on " + capture_->device + ", driver for CUDA " + capture_->driver + ", " + capture_->date +
                      "\n");
  constexpr const char* kHint = "traces/captures/README.md says how they are measured";
  warn_of_kernels(session_, without_, "not in the capture", kHint);
  warn_of_kernels(session_, stale_, "changed since the capture", kHint);
}

void MachineCheck::judge(const std::vector<Score>& all) {
  for (const Score& score : all)
    if (!is_within_limits(score, kMachineCodeLimits))
      session_.reply.fail(ExitCode::Mismatch, "cycles",
                          std::string(score.cls) + ": the test set is off by " + percent(score.mean) +
                              " on average and " + percent(score.worst) + " at worst; the limits are " +
                              percent(kMachineCodeLimits.mean) + " and " + percent(kMachineCodeLimits.worst));
  if (compared_.empty() && session_.reply.code() == ExitCode::Ok)
    session_.reply.fail(ExitCode::BadInput, "capture", "nothing was compared",
                        "the capture holds none of these kernels as they are now, or all are refused");
}

void MachineCheck::answer(const std::vector<Score>& all) {
  std::vector<std::string> classes, groups, kernels, left_out, without, stale;
  for (const Score& score : all) classes.push_back(to_json(score));
  for (const MachineGroup& group : machine_groups(outcomes_)) groups.push_back(to_json(group));
  for (const MachineOutcome& one : outcomes_) kernels.push_back(to_json(one));
  for (const auto& [name, why] : list_.left_out)
    left_out.push_back(JsonObject().text("kernel", name).text("why", why).str());
  for (const std::string& name : without_) without.push_back(json_text(name));
  for (const std::string& name : stale_) stale.push_back(json_text(name));
  session_.reply.result(JsonObject()
                            .text("profile", timing_->name)
                            .text("device", capture_->device)
                            .text("driver", capture_->driver)
                            .text("compiler", capture_->compiler)
                            .text("date", capture_->date)
                            .raw("without_capture", json_list(without))
                            .raw("stale", json_list(stale))
                            .raw("not_clocked", json_list(left_out))
                            .raw("classes", json_list(classes))
                            .raw("groups", json_list(groups))
                            .raw("kernels", json_list(kernels))
                            .str());
}

void MachineCheck::run() {
  if (!prepare()) return;
  if (!read_files()) return;
  gather();
  if (list_.jobs.empty() && of_files_.empty()) return;
  if (!capture_ && !measure()) return;
  simulate();
  const std::vector<Score> all = scores(compared_);
  report(all);
  judge(all);
  answer(all);
}

}  // namespace

void run_machine_cycles(Session& session) { MachineCheck(session).run(); }

}  // namespace warpsim::tools
