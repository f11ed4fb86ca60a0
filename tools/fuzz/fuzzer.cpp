// Differential fuzzing; see fuzzer.h.
#include "tools/fuzz/fuzzer.h"

#include <algorithm>
#include <utility>

#include "tools/fuzz/shrink.h"
#include "tools/fuzz/sides.h"

namespace warpsim::fuzz {

namespace {
constexpr std::uint64_t kSelfChecks = 16;  // one seed in so many
}

Fuzzer::Fuzzer(const Plan& plan, std::unique_ptr<Side> simulator, std::unique_ptr<Side> counterpart)
    : plan_(plan), simulator_(std::move(simulator)) {
  against_.push_back({std::move(counterpart)});
  against_.push_back({watched_side(), kSelfChecks, 0});
  against_.push_back({expanded_side(), kSelfChecks, kSelfChecks / 2});
}

Report Fuzzer::run(const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  Report report;
  const std::uint64_t total = share(plan_.count, plan_.shard, plan_.shards);
  while (report.programs < total && report.complete) {
    std::vector<RandomProgram> programs;
    for (std::uint64_t k = report.programs; k < total && programs.size() < plan_.batch; ++k)
      programs.push_back(random_program(plan_.seed + plan_.shard + k * plan_.shards, plan_.limits));
    const std::vector<Judged> judged = judge(programs);
    for (std::size_t k = 0; k < programs.size() && report.complete; ++k) {
      ++report.programs;
      report.instructions += judged[k].instructions;
      if (judged[k].sentence.empty()) continue;
      report.differences.push_back({programs[k].seed, programs[k].launch(), judged[k].sentence});
      report.complete = works() && (report.differences.size() < plan_.max_differences || report.programs == total);
    }
    if (progress) progress(report.programs, total);
  }
  return report;
}

bool Fuzzer::works() const {
  return std::all_of(against_.begin(), against_.end(), [](const Against& one) { return one.side->works(); });
}

struct Fuzzer::Batch {
  std::vector<Judged> judged;      // by program
  std::vector<Job> jobs;           // of those that assemble
  std::vector<std::size_t> index;  // of each job's program
  std::vector<Outcome> ours;       // by job
};

std::vector<Fuzzer::Judged> Fuzzer::judge(std::span<const RandomProgram> programs, const Side* only) {
  Batch batch;
  batch.judged.resize(programs.size());
  for (std::size_t k = 0; k < programs.size(); ++k) {
    std::optional<Job> job = job_of(programs[k], batch.judged[k].sentence);
    if (!job) continue;
    batch.jobs.push_back(std::move(*job));
    batch.index.push_back(k);
  }
  std::vector<const Job*> jobs;
  for (const Job& job : batch.jobs) jobs.push_back(&job);
  batch.ours = simulator_->run(jobs);
  for (std::size_t k = 0; k < jobs.size(); ++k) batch.judged[batch.index[k]].instructions = batch.ours[k].instructions;
  for (const Against& against : against_)
    if (only == nullptr || only == against.side.get()) judge_against(against, batch, only != nullptr);
  if (only == nullptr) return std::move(batch.judged);
  for (std::size_t k = 0; k < jobs.size(); ++k) {  // a smaller program may have lost what made it valid
    Judged& one = batch.judged[batch.index[k]];
    if (!one.sentence.empty() && !undefined_use(batch.jobs[k]).empty()) one = {};
  }
  return std::move(batch.judged);
}

// A program that stops in the simulator is not run elsewhere: it could hang a GPU.
void Fuzzer::judge_against(const Against& against, Batch& batch, bool everything) {
  std::vector<const Job*> jobs;
  std::vector<std::size_t> which;
  for (std::size_t k = 0; k < batch.jobs.size(); ++k) {
    Judged& one = batch.judged[batch.index[k]];
    if (!one.sentence.empty() || (!everything && batch.jobs[k].source->seed % against.every != against.at)) continue;
    if (batch.ours[k].stopped) {
      one.sentence = difference(*simulator_, batch.ours[k], *against.side, {});
      one.against = against.side.get();
    } else {
      jobs.push_back(&batch.jobs[k]);
      which.push_back(k);
    }
  }
  std::vector<Outcome> theirs = against.side->run(jobs);
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    Judged& one = batch.judged[batch.index[which[k]]];
    one.sentence = difference(*simulator_, batch.ours[which[k]], *against.side, theirs[k]);
    if (one.sentence.empty()) continue;
    one.against = against.side.get();
    one.expected = std::move(theirs[k].buffers);
  }
}

Shrunk Fuzzer::shrink(std::uint64_t seed) {
  const RandomProgram source = random_program(seed, plan_.limits);
  const Judged first = judge(std::span(&source, 1)).front();
  const Judge judge_many = [&](std::span<const RandomProgram> candidates) {
    std::vector<std::string> sentences;
    for (Judged& one : judge(candidates, first.against)) sentences.push_back(std::move(one.sentence));
    return sentences;
  };
  Shrunk shrunk;
  shrunk.program = fuzz::shrink(source, first.sentence, judge_many);
  Judged last = judge(std::span(&shrunk.program, 1), first.against).front();
  shrunk.against = first.against == nullptr ? "" : first.against->name();
  shrunk.sentence = std::move(last.sentence);
  shrunk.expected = std::move(last.expected);
  shrunk.lines = shrunk.program.lines.size();
  shrunk.lines_before = source.lines.size();
  return shrunk;
}

}  // namespace warpsim::fuzz
