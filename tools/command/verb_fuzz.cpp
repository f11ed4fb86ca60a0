// fuzz: random programs on the simulator and on another side, compared bit for bit.
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tools/command/verbs.h"
#include "tools/fuzz/case_file.h"
#include "tools/fuzz/cuda_side.h"
#include "tools/fuzz/fuzz_report.h"
#include "tools/fuzz/fuzzer.h"
#include "tools/fuzz/sides.h"
#include "tools/session/gpu_session.h"
#include "tools/session/loading.h"
#include "tools/session/overrides.h"
#include "tools/support/log.h"
#include "tools/support/output.h"
#include "tools/support/words.h"

namespace warpsim::tools {

namespace {

// "2/8": shard 2 of the 8 from 0 to 7.
bool read_shard(Session& session, const std::string& text, fuzz::Plan& plan) {
  if (text.empty()) return true;
  const std::size_t slash = text.find('/');
  const std::optional<std::uint64_t> shard = parse_count(text.substr(0, slash));
  const std::optional<std::uint64_t> shards = parse_count(slash == std::string::npos ? "" : text.substr(slash + 1));
  if (!shard || !shards || *shard >= *shards) {
    session.reply.fail(ExitCode::Usage, "usage", "--shard wants I/N with I below N, not " + in_ticks(text),
                       "the shards of four are 0/4, 1/4, 2/4 and 3/4");
    return false;
  }
  plan.shard = *shard;
  plan.shards = *shards;
  return true;
}

std::optional<fuzz::Plan> read_plan(Session& session) {
  const Options& options = session.options;
  fuzz::Plan plan;
  bool good = read_number(session, "--seed", options.seed, 0, plan.seed);
  good = read_number(session, "--count", options.count, 1, plan.count) && good;
  good = read_number(session, "--max-differences", options.max_differences, 1, plan.max_differences) && good;
  good = read_shard(session, options.shard, plan) && good;
  if (!good) return std::nullopt;
  if (options.backend == "cuda" || options.engine == "compiled") plan.limits = reference::kHardwareLimits;
  else plan.limits.store_registers = true;
  return plan;
}

std::unique_ptr<fuzz::Side> make_counterpart(Session& session) {
  if (session.options.backend != "cuda") return fuzz::reference_side();
  std::unique_ptr<CudaBackend> gpu = open_gpu(session);
  return gpu ? fuzz::cuda_side(std::move(gpu)) : nullptr;
}

// On a terminal, how far it is; elsewhere nothing.
void show_progress(std::uint64_t done, std::uint64_t total) {
  log::raw("\r" + std::to_string(done) + " of " + std::to_string(total) + " programs");
  if (done == total) log::raw("\r\x1b[K");
}

// Writes the first difference's program, shrunk; what there is to say of it.
std::string write_case(Session& session, const fuzz::Shrunk& shrunk, const FuzzReport& report) {
  const std::string seed = std::to_string(report.found.differences.front().seed);
  const std::string path = session.options.output.empty() ? "fuzz-" + seed + ".warp" : session.options.output;
  std::vector<std::string> comment = {
      "Found by `warpsim fuzz --seed " + seed + " --count 1 --backend " + report.backend + "`, shrunk:",
      shrunk.sentence.substr(0, shrunk.sentence.find('\n'))};
  if (!shrunk.expected.empty()) comment.push_back("The case expects what the " + shrunk.against + " gave.");
  session.reply.write_to(path, fuzz::case_file(shrunk.program, comment, shrunk.expected));
  return "shrunk to " + std::to_string(shrunk.lines) + " of " + std::to_string(shrunk.lines_before) +
         " statements: `warpsim test " + path + "` shows it";
}

void run_merge(Session& session) {
  std::vector<FuzzReport> reports;
  for (const std::string& file : session.options.names) {
    std::optional<FuzzReport> report = read_fuzz_report(session.reply, file);
    if (!report) return;
    reports.push_back(std::move(*report));
  }
  const std::optional<FuzzReport> all = merge(session.reply, reports, session.options.names);
  if (!all) return;
  session.reply.text(fuzz_text(*all));
  session.reply.result(fuzz_json(*all));
  report_differences(session.reply, *all);
}

}  // namespace

void run_fuzz(Session& session) {
  const Options& options = session.options;
  if (options.merge != !options.names.empty())
    return session.reply.fail(ExitCode::Usage, "usage",
                              options.merge ? "--merge wants the shards' files" : "files are for --merge",
                              "`warpsim fuzz --merge shard-*.json`");
  if (options.merge) return run_merge(session);
  if (!gpu_options_fit(session)) return;
  const std::optional<fuzz::Plan> plan = read_plan(session);
  std::unique_ptr<fuzz::Side> counterpart = plan && can_have_engine(session) ? make_counterpart(session) : nullptr;
  if (counterpart == nullptr) return;
  fuzz::Fuzzer fuzzer(*plan, options.engine == "compiled" ? fuzz::compiled_side() : fuzz::simulator_side(),
                      std::move(counterpart));
  FuzzReport report{
      options.backend.empty() ? "reference" : options.backend, plan->seed, plan->count, plan->shard, plan->shards, {}};
  const bool terminal = !session.reply.json() && isatty(STDERR_FILENO) != 0;
  report.found = terminal ? fuzzer.run(show_progress) : fuzzer.run();
  session.reply.text(fuzz_text(report));
  session.reply.result(fuzz_json(report));
  if (report.found.differences.empty()) return;
  if (!fuzzer.works()) {
    const fuzz::Difference& first = report.found.differences.front();
    return session.reply.fail(ExitCode::Trap, "gpu-fault", first.sentence,
                              "run these seeds one by one: `warpsim fuzz --backend cuda --count 1 --seed " +
                                  std::to_string(first.seed) + "`");
  }
  const fuzz::Shrunk shrunk = fuzzer.shrink(report.found.differences.front().seed);
  report_differences(session.reply, report, write_case(session, shrunk, report));
}

}  // namespace warpsim::tools
