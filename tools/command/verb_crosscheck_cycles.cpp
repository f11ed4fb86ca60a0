// crosscheck --cycles: the model's cycles beside a GPU's, or beside what its clocks said.
#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "isa/ptx_writer/ptx_writer.h"
#include "isa/text/number_text.h"
#include "programs/embedded.h"
#include "tools/command/verbs.h"
#include "tools/cycles/captured_cycles.h"
#include "tools/cycles/cycle_request.h"
#include "tools/cycles/cycle_scores.h"
#include "tools/cycles/cycle_source.h"
#include "tools/cycles/machine_check.h"
#include "tools/session/loading.h"
#include "tools/session/named_programs.h"
#include "tools/session/profile_option.h"
#include "tools/support/json_object.h"
#include "tools/support/profiles.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

constexpr std::string_view kDefaultProfile = "h200";

std::string json_texts(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) append_json_string(quoted.emplace_back(), text);
  return json_list(quoted);
}

class CycleCheck {
 public:
  explicit CycleCheck(Session& session) : session_(session) {}
  void run();

 private:
  bool prepare();
  void gather();
  void gather_program(const CatalogueEntry& entry);
  void compare(const ClockJob& job);
  void finish();
  void report_scores(const std::vector<Score>& all);
  void report_unscored();
  void judge(const std::vector<Score>& all);

  Session& session_;
  std::optional<CycleSource> source_;
  Timing timing_;
  std::vector<ClockJob> jobs_;
  std::vector<ComparedKernel> compared_;
  std::vector<std::string> all_;                              // kernels and programs that could be meant
  std::vector<std::pair<std::string, std::string>> refused_;  // wanted programs that cannot be measured, and why not
};

bool CycleCheck::prepare() {
  if (!cycle_options_fit(session_)) return false;
  const ChosenProfile* const chosen = chosen_profile(session_, kDefaultProfile);
  if (chosen == nullptr) return false;
  timing_ = chosen->bounds.front();
  source_ = CycleSource::open(session_, session_.options.against);
  return source_.has_value();
}

void CycleCheck::gather() {
  jobs_ = micro_benchmark_jobs();
  for (const ClockJob& job : jobs_) all_.push_back(job.name);
  jobs_.erase(std::remove_if(jobs_.begin(), jobs_.end(),
                             [this](const ClockJob& job) { return !is_wanted(session_, job.name); }),
              jobs_.end());
  for (const CatalogueEntry& entry : session_.catalogue.entries()) {
    if (shows_mistakes(entry.group)) continue;
    all_.push_back(entry.full_name());
    if (is_wanted(session_, entry.full_name())) gather_program(entry);
  }
  report_unknown_names(session_, all_);
  if (jobs_.empty() && !refused_.empty())
    session_.reply.fail(ExitCode::Unsupported, "unsupported",
                        refused_.front().first + " cannot be measured: " + refused_.front().second,
                        "the labels `measure` and `measured` choose a part of a program that can be");
}

void CycleCheck::gather_program(const CatalogueEntry& entry) {
  const std::optional<Lesson> program = assemble_program(session_, entry);
  if (!program || expects_findings(*program) || program->cases.empty()) return;
  const Case* const test = program->find_case("test");
  const Case& one = test != nullptr ? *test : program->cases.front();

  auto made = make_clock_job(*program, one);
  if (const NotClocked* why = std::get_if<NotClocked>(&made)) refused_.emplace_back(entry.full_name(), why->why);
  else jobs_.push_back(std::get<ClockJob>(std::move(made)));
}

void CycleCheck::compare(const ClockJob& job) {
  const CapturedCycles* const gpu = source_->of(job);
  if (gpu == nullptr) return;
  const auto simulated = simulate_cycles(job, timing_);
  if (const std::string* why = std::get_if<std::string>(&simulated))
    return session_.reply.fail(ExitCode::Trap, "trap", job.name + ": " + *why);
  ComparedKernel kernel{job.name, job.cls, job.set, job.warps, gpu->median, gpu->least, gpu->most, 0, {}};
  kernel.model = std::get<std::uint64_t>(simulated);
  kernel.code = code_of(job, *gpu);
  compared_.push_back(std::move(kernel));
}

void CycleCheck::report_scores(const std::vector<Score>& all) {
  const bool markdown = session_.options.markdown;
  if (!compared_.empty()) {
    session_.reply.text(markdown ? scores_markdown(all) : scores_text(all));
    const std::string apart = markdown ? apart_markdown(compared_) : apart_text(compared_);
    session_.reply.text((apart.empty() ? "" : "\n") + apart + "\n");
  }
  session_.reply.text(counted(compared_.size(), "kernel") + " on " + source_->where() + "\n");
  if (!refused_.empty())
    session_.reply.text(counted(refused_.size(), "program") +
                        " without a part that can be measured: --json says which, and why\n");
  if (!source_->lists_code())
    session_.reply.text("no cuobjdump here: nobody knows what the machine code is, and nothing is scored\n");
}

// What is not compared because the capture does not have it, or not as it is now.
void CycleCheck::report_unscored() {
  constexpr const char* kHint = "record anew on a machine with a GPU: `warpsim crosscheck --cycles --record FILE`";
  warn_of_kernels(session_, source_->without(), "not in the capture", kHint);
  warn_of_kernels(session_, source_->stale(), "changed since the capture", kHint);
  if (source_->not_made() != 0)
    warn_of_capture(session_,
                    counted(source_->not_made(), "kernel") + " not measured, because the GPU has stopped working", "");
}

void CycleCheck::judge(const std::vector<Score>& all) {
  for (const Score& score : all)
    if (!is_within_limits(score))
      session_.reply.fail(ExitCode::Mismatch, "cycles",
                          std::string(score.cls) + ": the test set is off by " + percent(score.mean) +
                              " on average and " + percent(score.worst) + " at worst; the limits are " +
                              percent(kProgramLimits.mean) + " and " + percent(kProgramLimits.worst));
  if (compared_.empty() && session_.reply.code() == ExitCode::Ok)
    return session_.reply.fail(ExitCode::BadInput, "capture", "nothing was compared",
                               "the capture holds none of these kernels as they are now");
  // NAMEs can choose kernels of which none is scored; without them every class should be.
  if (!session_.options.names.empty()) return;
  std::set<std::string_view> wanted;
  for (const ClockJob& job : jobs_) wanted.insert(job.cls);
  if (const std::vector<std::string> classes = unscored_classes(all, wanted); !classes.empty())
    session_.reply.fail(ExitCode::Mismatch, "cycles", "no kernel of the test set is scored of " + join(classes),
                        source_->lists_code() ? "is the capture of all kernels, and is its machine code cuobjdump's?"
                                              : "cuobjdump comes with the CUDA toolkit");
}

void CycleCheck::finish() {
  const std::vector<Score> all = scores(compared_);
  report_scores(all);
  report_unscored();
  judge(all);
  std::vector<std::string> rows, classes, refused;
  for (const ComparedKernel& kernel : compared_) rows.push_back(to_json(kernel));
  for (const Score& score : all) classes.push_back(to_json(score));
  for (const auto& [program, why] : refused_)
    refused.push_back(JsonObject().text("program", program).text("why", why).str());
  const CycleCapture& capture = source_->capture();
  session_.reply.result(JsonObject()
                            .text("profile", timing_ ? timing_->name : "lockstep")
                            .text("device", capture.device)
                            .text("driver", capture.driver)
                            .text("date", capture.date)
                            .raw("without_capture", json_texts(source_->without()))
                            .raw("stale", json_texts(source_->stale()))
                            .number("not_made", source_->not_made())
                            .raw("not_clocked", json_list(refused))
                            .raw("classes", json_list(classes))
                            .raw("kernels", json_list(rows))
                            .str());
}

void CycleCheck::run() {
  if (!prepare()) return;
  gather();
  for (const ClockJob& job : jobs_) compare(job);
  if (!session_.options.record.empty() && !source_->capture().kernels.empty())
    session_.reply.write_to(session_.options.record, to_json(source_->capture()));
  if (!jobs_.empty()) finish();
}

}  // namespace

void run_crosscheck_cycles(Session& session) {
  if (session.options.machine_code) return run_machine_cycles(session);
  CycleCheck(session).run();
}

}  // namespace warpsim::tools
