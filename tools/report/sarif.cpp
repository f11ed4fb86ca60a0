// Writing SARIF 2.1.0; see sarif.h.
#include "tools/report/sarif.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "isa/text/lines.h"
#include "sim/event/lane_mask.h"
#include "tools/support/version.h"
#include "traces/text/fault_drawing.h"

namespace warpsim::tools {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

// A message: braces stand for arguments there, and `](` for a link, so that ours are doubled and kept apart.
Json text_of(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '(' && out.ends_with(']')) out += ' ';
    out.append(c == '{' || c == '}' ? 2 : 1, c);
  }
  return {{"text", std::move(out)}};
}

std::string_view level_of(Severity severity) {
  switch (severity) {
    case Severity::Warning: return "warning";
    case Severity::Advice: return "note";
    case Severity::Error:
    case Severity::Wrong: break;
  }
  return "error";
}

// ---- where

// A relative reference to a file: RFC 3986, with everything escaped that could be taken for something else.
std::string uri_of(std::string_view file, std::string_view folder) {
  if (file.starts_with('/')) {
    while (folder.ends_with('/')) folder.remove_suffix(1);
    const bool below = !folder.empty() && file.starts_with(folder) && file.substr(folder.size()).starts_with('/');
    file.remove_prefix(below ? folder.size() + 1 : file.rfind('/') + 1);
  }
  constexpr std::string_view kPlain = "/-._~", kHex = "0123456789ABCDEF";
  std::string uri;
  for (const char c : file) {
    const unsigned char byte = static_cast<unsigned char>(c);
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_word || kPlain.find(c) != std::string_view::npos) uri += c;
    else (uri += '%') += {kHex[byte >> 4U], kHex[byte & 15U]};
  }
  return uri;
}

std::size_t utf16_units(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    units += ((byte & 0xc0U) != 0x80 ? 1U : 0U) + (byte >= 0xf0 ? 1U : 0U);
  }
  return units;
}

Json region_of(SourceRange where, const CheckedProgram* program) {
  Json region{{"startLine", where.line}};
  if (where.column == 0) return region;
  std::size_t first = where.column - 1, last = first + std::max<std::uint32_t>(1, where.length);
  if (program != nullptr) {
    const std::string_view line = line_in(text_of(*program, where), where.line);
    first = utf16_units(line.substr(0, first));
    last = std::max(first + 1, utf16_units(line.substr(0, last)));
  }
  region["startColumn"] = first + 1;
  region["endColumn"] = last + 1;
  return region;
}

// ---- the tool

std::string warp_text(std::uint32_t block, std::uint32_t warp) {
  return "block " + std::to_string(block) + ", warp " + std::to_string(warp);
}

std::string sentence(std::string text) {
  if (!text.empty() && std::string_view(".?!").find(text.back()) == std::string_view::npos) text += '.';
  return text;
}

// One finding, for its result.
class Result {
 public:
  Result(const CheckReport& report, const CheckedFinding& finding, std::string_view folder)
      : finding_(finding),
        program_(find_program(report, finding.program)),
        folder_(folder),
        lanes_(finding.seen.empty() ? 32 : finding.seen.front().lanes) {}

  Json json(bool says_what_is_suppressed) const;

 private:
  std::string message() const;
  Json location(SourceRange where, const std::string& text) const;
  Json flow() const;
  Json related() const;
  Json properties() const;
  std::string fingerprint() const;

  const CheckedFinding& finding_;
  const CheckedProgram* program_;
  std::string_view folder_;
  unsigned lanes_;
};

std::string Result::message() const {
  const TraceFinding& what = finding_.finding;
  std::string text = sentence(english(what.message));
  if (what.cycle != 0)
    text += " In cycle " + std::to_string(what.cycle) + ", " + warp_text(what.block, what.warp) + ", " +
            lanes_and_mask(what.lanes, lanes_) + ".";
  if (!what.hint.empty()) text += " What to try: " + sentence(english(what.hint));
  return text;
}

Json Result::location(SourceRange where, const std::string& text) const {
  const std::string& file = program_ == nullptr ? finding_.file : file_of(*program_, where);
  Json physical{{"artifactLocation", {{"uri", uri_of(file, folder_)}}}};
  if (where.line != 0) physical["region"] = region_of(where, program_);
  Json location{{"physicalLocation", std::move(physical)}};
  if (!text.empty()) location["message"] = text_of(text);
  return location;
}

// Each warp that is involved is a thread of the flow; the order of execution goes through all of them. The finding
// itself is the last.
Json Result::flow() const {
  const TraceFinding& what = finding_.finding;
  std::vector<std::pair<TraceStep, SourceRange>> steps;
  for (std::size_t k = 0; k < what.steps.size(); ++k)
    steps.emplace_back(what.steps[k], k < finding_.steps_at.size() ? finding_.steps_at[k] : SourceRange{});
  std::stable_sort(steps.begin(), steps.end(),
                   [](const auto& x, const auto& y) { return x.first.cycle < y.first.cycle; });
  steps.push_back({{what.cycle, what.block, what.warp, what.pc, what.lanes, what.message}, finding_.where});
  std::map<std::pair<std::uint32_t, std::uint32_t>, Json> warps;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const auto& [step, where] = steps[k];
    Json& warp = warps[{step.block, step.warp}];
    if (warp.is_null()) warp = {{"id", warp_text(step.block, step.warp)}, {"locations", Json::array()}};
    const std::string when = step.cycle == 0 ? "" : "cycle " + std::to_string(step.cycle) + ", ";
    const std::string text =
        when + warp_text(step.block, step.warp) + ", " + lanes_and_mask(step.lanes, lanes_) + ": " + english(step.text);
    warp["locations"].push_back(
        {{"location", location(where, text)},
         {"executionOrder", k + 1},
         {"importance", k + 1 == steps.size() ? "essential" : "important"},
         {"properties", {{"cycle", step.cycle}, {"lanes", lane_mask_hex(step.lanes, lanes_)}}}});
  }
  Json threads = Json::array();
  for (auto& [who, warp] : warps) threads.push_back(std::move(warp));
  return {{"threadFlows", std::move(threads)}};
}

Json Result::related() const {
  Json all = Json::array();
  const std::vector<TracePlace>& places = finding_.finding.places;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const TracePlace& place = places[k];
    const std::string doing = place.pc < 0 ? "exited" : place.waits_for.empty() ? "here" : english(place.waits_for);
    Json one{{"id", k}};
    one.update(
        location(k < finding_.places_at.size() ? finding_.places_at[k] : SourceRange{},
                 warp_text(place.block, place.warp) + ", " + lanes_and_mask(place.lanes, lanes_) + ": " + doing));
    all.push_back(std::move(one));
  }
  return all;
}

Json Result::properties() const {
  const TraceFinding& what = finding_.finding;
  Json sightings = Json::array();
  for (const Sighting& seen : finding_.seen)
    sightings.push_back({{"case", seen.case_name},
                         {"lanes", seen.lanes},
                         {"schedule", seen.schedule},
                         {"reconvergence", seen.reconvergence}});
  Json json{{"program", finding_.program}, {"severity", name(finding_.severity)}, {"endsTheRun", finding_.traps}};
  if (what.cycle != 0) {
    json["cycle"] = what.cycle;
    json["block"] = what.block;
    json["warp"] = what.warp;
    json["lanes"] = lane_mask_hex(what.lanes, lanes_);
  }
  json["sightings"] = std::move(sightings);
  return json;
}

// "p26/warp_partition WS0104 shfl.bfly.b32 %other, %x, 4 #2": the second such statement of the program.
std::string Result::fingerprint() const {
  std::string text = finding_.program + " " + code(finding_.code);
  const std::optional<std::size_t> at = program_ == nullptr ? std::nullopt : statement_at(*program_, finding_.in_text);
  if (!at) return text;
  const std::string statement = statement_text(*program_, *at);
  std::size_t nth = 1;
  for (std::size_t k = 0; k < *at; ++k) nth += statement_text(*program_, k) == statement ? 1 : 0;
  return text + " " + statement + " #" + std::to_string(nth);
}

Json Result::json(bool says_what_is_suppressed) const {
  const std::span<const FindingInfo> rules = all_findings();
  const auto rule =
      std::find_if(rules.begin(), rules.end(), [this](const FindingInfo& one) { return one.finding == finding_.code; });
  Json json{{"ruleId", code(finding_.code)},
            {"ruleIndex", rule - rules.begin()},
            {"level", level_of(finding_.severity)},
            {"message", text_of(message())},
            {"locations", Json::array({location(finding_.where, "")})}};
  if (!finding_.finding.steps.empty()) json["codeFlows"] = Json::array({flow()});
  if (!finding_.finding.places.empty()) json["relatedLocations"] = related();
  json["partialFingerprints"] = {{"warpsimStatement/v1", fingerprint()}};
  if (says_what_is_suppressed) {
    json["suppressions"] = Json::array();
    if (finding_.suppressed_by)
      json["suppressions"].push_back({{"kind", "external"}, {"justification", *finding_.suppressed_by}});
  }
  json["properties"] = properties();
  return json;
}

// ---- the run around the results

Json rules() {
  Json all = Json::array();
  for (const FindingInfo& row : all_findings())
    all.push_back({{"id", code(row.finding)},
                   {"name", row.name},
                   {"shortDescription", text_of(row.title)},
                   {"fullDescription", text_of(row.rule)},
                   {"help", text_of(english(row.hint))},
                   {"defaultConfiguration", {{"level", level_of(row.severity)}}}});
  return all;
}

// What could not be run at all.
Json invocation(const CheckReport& report) {
  Json notifications = Json::array();
  for (const CheckedRun& run : report.runs) {
    if (run.error.empty()) continue;
    const std::string which = (run.case_name.empty() ? "" : ", case " + run.case_name) +
                              (run.lanes == 0 ? "" : ", " + std::to_string(run.lanes) + " lanes");
    notifications.push_back(
        {{"level", "error"}, {"message", text_of(sentence(run.program + which + ": " + run.error))}});
  }
  const bool successful = notifications.empty();
  Json json{{"executionSuccessful", successful}};
  if (!successful) json["toolExecutionNotifications"] = std::move(notifications);
  return json;
}

Json artifacts(const CheckReport& report, std::string_view folder) {
  Json all = Json::array();
  const auto add = [&](const std::string& file) {
    Json one{{"location", {{"uri", uri_of(file, folder)}}}, {"roles", {"analysisTarget"}}};
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(std::move(one));
  };
  for (const CheckedProgram& program : report.programs) {
    add(program.file);
    for (const SourceFile& one : program.sources) add(one.name);
  }
  return all;
}

}  // namespace

std::string sarif(const CheckReport& report, std::string_view folder) {
  // SARIF wants it said of all results or of none.
  const bool some_suppressed = std::any_of(report.findings.begin(), report.findings.end(),
                                           [](const CheckedFinding& one) { return one.suppressed_by.has_value(); });
  Json results = Json::array();
  for (const CheckedFinding& finding : report.findings)
    results.push_back(Result(report, finding, folder).json(some_suppressed));
  const Json instructions{
      {"exact", report.exact}, {"approximate", report.approximate}, {"unsupported", report.unsupported}};
  const Json run{{"tool", {{"driver", {{"name", "warpsim"}, {"version", kVersion}, {"rules", rules()}}}}},
                 {"invocations", Json::array({invocation(report)})},
                 {"artifacts", artifacts(report, folder)},
                 {"columnKind", "utf16CodeUnits"},
                 {"results", std::move(results)},
                 {"properties", {{"runs", report.runs.size()}, {"instructions", instructions}}}};
  const Json log{{"version", "2.1.0"}, {"$schema", kSchema}, {"runs", Json::array({run})}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpsim::tools
