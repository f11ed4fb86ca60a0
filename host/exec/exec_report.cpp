// See exec_report.h.
#include "host/exec/exec_report.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "isa/ptx/ptx_summary.h"
#include "isa/text/number_text.h"
#include "sim/launch/residency.h"
#include "sim/sass/code_run.h"
#include "sim/timing/clock.h"
#include "traces/text/fault_drawing.h"

namespace warpsim::host {
namespace {

using Json = nlohmann::json;

Json json_of(const CallStack& stack) {
  Json frames = Json::array();
  for (const Frame& frame : stack.frames())
    frames.push_back({{"file", frame.file}, {"offset", frame.offset}, {"symbol", frame.symbol}});
  return frames;
}

Json json_of(const HostCalls& calls) {
  Json all = Json::array();
  for (const auto& [what, stack] : calls) all.push_back({{"what", what}, {"frames", json_of(stack)}});
  return all;
}

std::vector<std::string> names_of(const CallStack& stack) {
  std::vector<std::string> names;
  for (const Frame& frame : stack.frames()) names.push_back(name(frame));
  return names;
}

}  // namespace

std::string name(const Frame& frame) {
  const std::string file = frame.file.substr(frame.file.rfind('/') + 1);
  const std::string place = file + "+" + hexadecimal_text(frame.offset);
  return frame.symbol.empty() ? place : ptx::demangled(frame.symbol) + ", " + place;
}

std::string draw_host_finding(Finding code, std::string_view message,
                              const std::vector<std::pair<std::string, std::vector<std::string>>>& calls) {
  const FindingInfo& row = info(code);
  std::string text =
      std::string(warpsim::name(row.severity)) + "[" + warpsim::code(code) + "]: " + std::string(message) + "\n";
  for (const auto& [what, places] : calls) {
    text += below(what + (places.empty() ? "" : ": " + places.front()));
    for (std::size_t k = 1; k < places.size(); ++k) text += below("  called from " + places[k]);
  }
  text += below("rule: " + std::string(row.rule));
  if (const Message hint = row.hint; !hint.empty()) text += below("hint: " + in_cuda(hint));
  return text;
}

ExecReport::ExecReport(const std::string& file) {
  if (!file.empty()) file_ = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
}

ExecReport::~ExecReport() {
  if (file_ >= 0) ::close(file_);
}

void ExecReport::write(std::string line) const {
  if (file_ >= 0) line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_ >= 0 ? file_ : STDERR_FILENO, rest.data(), rest.size());
    if (written <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void ExecReport::add(const Report& report, std::uint64_t number, const HostCalls& calls) {
  if (file_ < 0) return write(report.drawn);
  const TraceFinding& finding = report.finding;
  const SourceRange where = place_of(report.program, finding);
  Json record = {{"is", "finding"},
                 {"code", finding.code.word},
                 {"severity", std::string(warpsim::name(severity_of(finding)))},
                 {"kernel", report.kernel.name()},
                 {"launch", report.launch},
                 {"file", where.line == 0 ? "" : report.program.source(where).name},
                 {"line", where.line},
                 {"column", where.column},
                 {"message", said_of(report.program, finding.message)},
                 {"hint", said_of(report.program, finding.hint)},
                 {"block", finding.block},
                 {"warp", finding.warp},
                 {"cycle", finding.cycle},
                 {"lanes", finding.lanes},
                 {"trap", report.is_trap},
                 {"text", report.drawn},
                 {"calls", json_of(calls)},
                 {"number", number},
                 {"first_cycle", first_cycle(finding)}};
  write(record.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void ExecReport::add(const HostFinding& finding) {
  if (file_ < 0) {
    std::vector<std::pair<std::string, std::vector<std::string>>> calls;
    for (const auto& [what, stack] : finding.calls) calls.emplace_back(what, names_of(stack));
    return write(draw_host_finding(finding.code, finding.message, calls));
  }
  Json record = {{"is", "host"},
                 {"code", warpsim::code(finding.code)},
                 {"severity", std::string(warpsim::name(info(finding.code).severity))},
                 {"message", finding.message},
                 {"calls", json_of(finding.calls)}};
  write(record.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void ExecReport::add(const LaunchStatistics& timed, double gigahertz, const CallStack& launched) {
  if (file_ < 0) return;
  const Statistics& s = timed.statistics;
  const bool is_by_code = timed.is_by_code();
  const TimingProfile& profile = *timed.config.timing;
  const DeviceLimits limits = is_by_code ? sass::limits_of_code(profile) : limits_of(profile);
  const BlockNeeds& needs = is_by_code ? timed.code->needs : timed.needs;
  const std::uint64_t blocks = timed.config.grid.count(), held = blocks_a_multiprocessor(limits, needs);
  const bool is_small = blocks < held * limits.multiprocessors;
  const std::uint64_t an_sm = is_small ? (blocks + limits.multiprocessors - 1) / limits.multiprocessors : held;
  Json stalls = Json::object();
  for (std::size_t k = 0; k < kStallReasonCount; ++k)
    stalls[std::string(warpsim::name(static_cast<Stall::Reason>(k)))] =
        is_by_code ? timed.code->stalls[k] : s.stalls[k];
  const auto dimensions = [](const Dim3& of) { return Json{of.x, of.y, of.z}; };
  Json record = {{"is", "timing"},
                 {"launch", timed.launch},
                 {"kernel", timed.kernel.name()},
                 {"grid", dimensions(timed.config.grid)},
                 {"block", dimensions(timed.config.block)},
                 {"cycles", timed.cycles()},
                 {"ns", static_cast<double>(timed.cycles()) / gigahertz},
                 {"instructions", is_by_code ? timed.code->instructions : s.counts.instructions},
                 {"sms", is_by_code ? std::min<std::uint64_t>(limits.multiprocessors, blocks) : s.sms()},
                 {"issued", is_by_code ? timed.code->instructions : s.issue_cycles},
                 {"stalls", std::move(stalls)},
                 {"warps_an_sm", an_sm * needs.warps},
                 {"of_warps", limits.warps},
                 {"limit", is_small ? std::string_view("grid") : limit_of_blocks(limits, needs)},
                 {"ended", timed.has_ended},
                 {"calls", json_of(HostCalls{{"launched", launched}})}};
  if (timed.code != nullptr) {
    record["timed_by"] = is_by_code ? "machine code" : "PTX";
    record["ptx_cycles"] = s.cycles;
    if (!is_by_code) record["why_not_machine_code"] = timed.code->why_none;
  }
  write(record.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void ExecReport::say(std::string_view text) {
  if (file_ < 0) return write("warpsim: " + std::string(text) + "\n");
  write(Json{{"is", "message"}, {"text", text}}.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace warpsim::host
