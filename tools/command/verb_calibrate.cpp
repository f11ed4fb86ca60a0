// calibrate: a timing profile whose cycles are those of a GPU's clocks.
#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "isa/text/diagnostic.h"
#include "isa/text/number_text.h"
#include "tools/command/verbs.h"
#include "tools/cuda/benchmarks/machine_code.h"
#include "tools/cycles/calibration.h"
#include "tools/cycles/captured_cycles.h"
#include "tools/cycles/cycle_scores.h"
#include "tools/cycles/cycle_source.h"
#include "tools/session/loading.h"
#include "tools/session/profile_option.h"
#include "tools/session/result_file.h"
#include "tools/support/json_object.h"
#include "tools/support/output.h"
#include "tools/support/profiles.h"
#include "tools/support/words.h"
#include "traces/profile/builtin_profiles.h"

namespace warpsim::tools {
namespace {

constexpr const char* kDefaultBase = "h200";

// The profile to start from, with where its numbers come from.
std::optional<ProfileFile> base_profile(Session& session) {
  const std::string word = session.options.profile.empty() ? kDefaultBase : session.options.profile;
  std::optional<ProfileFile> file = builtin_profile(word);
  if (!file && !is_file_name(word)) {
    session.reply.fail(ExitCode::Usage, "usage", "there is no profile " + in_ticks(word) + " to start from",
                       hint_for(nearest(word, {kDefaultBase}),
                                std::string("there is ") + kDefaultBase + ", and there are files that end in .json"));
    return std::nullopt;
  }
  if (!file) file = read_profile_file(session, word);
  if (!file || file->bounds.size() == 1) return file;
  session.reply.fail(ExitCode::Usage, "usage", "the profile " + in_ticks(word) + " has two bounds",
                     "a profile with one number for each thing can be fitted: h200");
  return std::nullopt;
}

// "NVIDIA H200" → "h200"
std::string profile_name(const std::string& device) {
  std::string name;
  for (const char c : device) {
    const bool kept = std::isalnum(static_cast<unsigned char>(c)) != 0;
    name += kept ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : '_';
  }
  return name.rfind("nvidia_", 0) == 0 ? name.substr(7) : name;
}

constexpr std::string_view kCommand = "warpsim calibrate";

void describe(Session& session, ProfileFile& file, const CycleCapture& capture, const Calibrated& fitted,
              std::size_t kernels) {
  // Numbers of another GPU that no kernel measures stay in the file, with their provenance.
  const bool same_gpu = file.title == capture.device;
  file.title = capture.device;
  file.name = profile_name(capture.device);
  std::vector<Provenance>& lines = file.provenance;
  lines.erase(std::remove_if(lines.begin(), lines.end(),
                             [&](const Provenance& line) {
                               return line.command.rfind(kCommand, 0) == 0 && line.device == capture.device;
                             }),
              lines.end());
  Provenance one;
  one.what = counted(fitted.changed, "number") + " of cycles, fitted to " + counted(kernels, "kernel") +
             " of the calibration set: mean error " + percent(fitted.mean_before) + " before, " +
             percent(fitted.mean_after) + " after";
  one.source =
      "clock reads around regions whose machine code is the program's: tools/cuda/benchmarks/micro_benchmarks.h";
  one.device = capture.device;
  one.driver = "CUDA " + capture.driver;
  one.date = capture.date;
  one.command = kCommand;
  if (!session.options.from.empty()) one.command += " --from " + session.options.from;
  if (!session.options.profile.empty()) one.command += " --base " + session.options.profile;
  lines.insert(lines.begin(), std::move(one));
  if (fitted.unmeasured.empty()) return;
  Provenance rest;
  rest.what = "unverified: " + counted(fitted.unmeasured.size(), "number") +
              " that none of these kernels determines, as they were" + (same_gpu ? "" : ", of another GPU");
  rest.source = "the profile that this one was made from";
  rest.command = lines.front().command;
  rest.device = capture.device;
  lines.insert(lines.begin() + 1, std::move(rest));
}

}  // namespace

void run_calibrate(Session& session) {
  std::optional<ProfileFile> file = base_profile(session);
  if (!file) return;
  std::optional<CycleSource> source = CycleSource::open(session, session.options.from);
  if (!source) return;
  std::vector<CalibrationKernel> kernels;
  const std::vector<ClockJob> jobs = micro_benchmark_jobs();
  for (const ClockJob& job : jobs) {
    if (job.set != KernelSet::Calibration) continue;
    const CapturedCycles* const cycles = source->of(job);
    if (cycles != nullptr && code_of(job, *cycles).kind == CodeVerdict::Kind::Same)
      kernels.push_back({&job, cycles->median});
  }
  if (kernels.empty()) {
    if (session.reply.code() != ExitCode::Ok) return;  // why was said
    session.reply.fail(ExitCode::Unsupported, "calibrate", "there is no kernel to fit to" + source->left_out(),
                       !source->lists_code()
                           ? "cuobjdump must be there: it says whether the machine code is the program's"
                           : "measure again, on a machine with the GPU: `warpsim calibrate`");
    return;
  }
  const Calibrated fitted = calibrate(file->bounds.front(), kernels);
  file->bounds.front() = fitted.profile;
  describe(session, *file, source->capture(), fitted, kernels.size());
  file->bounds.front().name = file->name;
  file->bounds.front().title = file->title;
  ResultFile result(session);
  result.write(write_profile(*file));
  std::vector<std::string> unmeasured;
  for (const std::string& name : fitted.unmeasured) unmeasured.push_back("\"" + name + "\"");
  result.finish(JsonObject()
                    .number("kernels", kernels.size())
                    .raw("mean_before", number_text(fitted.mean_before))
                    .raw("mean_after", number_text(fitted.mean_after))
                    .number("changed", fitted.changed)
                    .raw("unmeasured", json_list(unmeasured)),
                "profile");
  if (session.options.output.empty() || is_stdout(session.options.output)) return;
  session.reply.text(file->provenance.front().what + source->left_out() + "\n");
  if (fitted.unmeasured.empty()) return;
  session.reply.text(counted(fitted.unmeasured.size(), "number") +
                     " that no kernel determines are as they were; --json names them\n");
}

}  // namespace warpsim::tools
