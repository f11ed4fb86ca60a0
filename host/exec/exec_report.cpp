// See exec_report.h.
#include "host/exec/exec_report.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "isa/ptx/ptx_summary.h"
#include "isa/text/number_text.h"
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

void ExecReport::add(const Report& report, const CallStack& launched) {
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
                 {"message", english(finding.message)},
                 {"hint", english(finding.hint)},
                 {"block", finding.block},
                 {"warp", finding.warp},
                 {"cycle", finding.cycle},
                 {"lanes", finding.lanes},
                 {"trap", report.is_trap},
                 {"text", report.drawn},
                 {"calls", Json::array({{{"what", "launched"}, {"frames", json_of(launched)}}})}};
  write(record.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void ExecReport::add(const HostFinding& finding) {
  if (file_ < 0) {
    std::vector<std::pair<std::string, std::vector<std::string>>> calls;
    for (const auto& [what, stack] : finding.calls) calls.emplace_back(what, names_of(stack));
    return write(draw_host_finding(finding.code, finding.message, calls));
  }
  Json calls = Json::array();
  for (const auto& [what, stack] : finding.calls) calls.push_back({{"what", what}, {"frames", json_of(stack)}});
  Json record = {{"is", "host"},
                 {"code", warpsim::code(finding.code)},
                 {"severity", std::string(warpsim::name(info(finding.code).severity))},
                 {"message", finding.message},
                 {"calls", std::move(calls)}};
  write(record.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void ExecReport::say(std::string_view text) {
  if (file_ < 0) return write("warpsim: " + std::string(text) + "\n");
  write(Json{{"is", "message"}, {"text", text}}.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace warpsim::host
