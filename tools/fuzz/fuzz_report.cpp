// What a fuzz found; see fuzz_report.h.
#include "tools/fuzz/fuzz_report.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>
#include <variant>

#include "isa/text/number_text.h"
#include "tools/support/json_object.h"
#include "tools/support/output.h"
#include "traces/io/json_dom.h"

namespace warpsim::tools {

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

std::string shard_text(std::uint64_t shard, std::uint64_t shards) {
  return std::to_string(shard) + "/" + std::to_string(shards);
}

FuzzReport from_json(const Node& result) {
  FuzzReport report;
  report.backend = result.member("backend").text();
  report.seed = result.member("seed").number(kMost);
  report.count = result.member("count").number(kMost);
  report.shard = result.member("shard").number(kMost);
  report.shards = result.member("shards").number(kMost);
  report.found.programs = result.member("programs").number(kMost);
  report.found.instructions = result.member("instructions").number(kMost);
  report.found.complete = result.member("complete").truth();
  const Node differences = result.member("differences");
  for (std::size_t k = 0; k < differences.size(); ++k) {
    const Node one = differences.item(k);
    report.found.differences.push_back(
        {one.member("seed").number(kMost), one.member("launch").text(), one.member("difference").text()});
  }
  return report;
}

}  // namespace

std::string fuzz_json(const FuzzReport& report) {
  std::vector<std::string> differences;
  for (const fuzz::Difference& one : report.found.differences)
    differences.push_back(
        JsonObject().number("seed", one.seed).text("launch", one.launch).text("difference", one.sentence).str());
  return JsonObject()
      .text("backend", report.backend)
      .number("seed", report.seed)
      .number("count", report.count)
      .number("shard", report.shard)
      .number("shards", report.shards)
      .number("programs", report.found.programs)
      .number("instructions", report.found.instructions)
      .boolean("complete", report.found.complete)
      .raw("differences", json_list(differences))
      .str();
}

std::string fuzz_text(const FuzzReport& report) {
  const fuzz::Report& found = report.found;
  std::string text = counted(found.programs, "program") + " from seed " + std::to_string(report.seed);
  if (report.shards > 1) text += ", shard " + shard_text(report.shard, report.shards);
  text += ", " + counted(found.instructions, "warp instruction") + ", the simulator against the " +
          (report.backend == "cuda" ? "GPU" : report.backend) + ": ";
  const std::size_t differ = found.differences.size();
  text += differ == 0 ? "no difference" : counted(differ, "difference");
  if (!found.complete) text += ", and then it ended: " + std::to_string(report.count) + " programs were asked for";
  return text + "\n";
}

void report_differences(Reply& reply, const FuzzReport& report, const std::string& hint) {
  for (const fuzz::Difference& one : report.found.differences)
    reply.fail(ExitCode::Mismatch, "difference",
               "seed " + std::to_string(one.seed) + " (" + one.launch + "): " + one.sentence,
               &one == &report.found.differences.front() ? hint : "");
}

std::optional<FuzzReport> read_fuzz_report(Reply& reply, const std::string& file) {
  std::string text, error;
  if (!read_file(file, text, error)) {
    reply.fail(ExitCode::BadInput, "file", error);
    return std::nullopt;
  }
  const auto document = parse_json(text);
  Reading reading;
  FuzzReport report;
  if (const auto* json = std::get_if<Json>(&document)) report = from_json(Node(*json, reading).member("result"));
  else reading.error = std::get<JsonError>(document);
  if (!reading.failed()) return report;
  const JsonError& wrong = *reading.error;
  reply.fail(ExitCode::BadInput, wrong.code,
             file + ": " + wrong.message + (wrong.pointer.empty() ? "" : ", at " + wrong.pointer),
             "`warpsim fuzz --shard I/N --json > " + file + "` writes what is read here");
  return std::nullopt;
}

std::optional<FuzzReport> merge(Reply& reply, const std::vector<FuzzReport>& reports,
                                const std::vector<std::string>& files) {
  const FuzzReport& first = reports.front();
  std::vector<const std::string*> of_shard(std::min<std::uint64_t>(first.shards, 100'000), nullptr);
  const auto wrong = [&reply](const std::string& what, const std::string& hint) {
    reply.fail(ExitCode::BadInput, "shards", what, hint);
  };
  bool good = first.shards <= of_shard.size();
  if (!good) wrong(files.front() + " is one of " + std::to_string(first.shards) + " shards: too many", "");
  FuzzReport all = first;
  all.shard = 0, all.shards = 1;
  all.found = {};
  for (std::size_t k = 0; k < reports.size() && good; ++k) {
    const FuzzReport& one = reports[k];
    const bool same = one.backend == first.backend && one.seed == first.seed && one.count == first.count &&
                      one.shards == first.shards && one.shard < one.shards;
    good = same && of_shard[one.shard] == nullptr;
    if (!same)
      wrong(files[k] + " and " + files.front() + " are not shards of one fuzz",
            "backend, seed, count and number of shards must be the same");
    else if (!good)
      wrong("shard " + shard_text(one.shard, one.shards) + " is there twice: " + *of_shard[one.shard] + " and " +
                files[k],
            "give each once");
    if (!good) break;
    if (one.found.complete && one.found.programs != fuzz::share(one.count, one.shard, one.shards)) {
      wrong(files[k] + " has " + counted(one.found.programs, "program") + ", shard " +
                shard_text(one.shard, one.shards) + " of " + std::to_string(one.count) + " has " +
                std::to_string(fuzz::share(one.count, one.shard, one.shards)),
            "run that shard again");
      good = false;
      break;
    }
    of_shard[one.shard] = &files[k];
    all.found.programs += one.found.programs;
    all.found.instructions += one.found.instructions;
    all.found.complete = all.found.complete && one.found.complete;
    all.found.differences.insert(all.found.differences.end(), one.found.differences.begin(),
                                 one.found.differences.end());
  }
  for (std::size_t k = 0; k < of_shard.size() && good; ++k) {
    if (of_shard[k] != nullptr) continue;
    wrong("shard " + shard_text(k, first.shards) + " is missing",
          "`warpsim fuzz --shard " + shard_text(k, first.shards) + " --json` with the others' seed and count makes it");
    good = false;
  }
  if (!good) return std::nullopt;
  std::sort(all.found.differences.begin(), all.found.differences.end(),
            [](const fuzz::Difference& a, const fuzz::Difference& b) { return a.seed < b.seed; });
  return all;
}

}  // namespace warpsim::tools
