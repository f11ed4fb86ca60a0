// exec: a CUDA program, host code and all, with warpsim for a GPU. What is found is reported as it comes; the exit code
// is the program's.
#include "tools/exec/exec_verb.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "host/exec/exec_report.h"
#include "isa/text/number_text.h"
#include "tools/exec/exec_child.h"
#include "tools/exec/host_lines.h"
#include "tools/exec/program_file.h"
#include "tools/exec/timing_table.h"
#include "tools/report/check_report.h"
#include "tools/report/junit.h"
#include "tools/report/sarif.h"
#include "tools/report/suppressions.h"
#include "tools/session/cuda_source.h"
#include "tools/session/loading.h"
#include "tools/session/overrides.h"
#include "tools/session/profile_option.h"
#include "tools/support/json_object.h"
#include "tools/support/words.h"
#include "traces/text/fault_drawing.h"

namespace warpsim::tools {
namespace {

using Json = nlohmann::json;

constexpr int kSignalled = 128;  // as shells have it

// "": there is none here.
std::string ptxas_here() {
  for (const std::string& place : places_of_toolkit_program("ptxas"))
    if (std::string found = find_program_file(place); !found.empty()) return found;
  return "";
}

class Execution {
 public:
  explicit Execution(Session& session) : session_(session) {}
  bool read_options();
  void run();

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::uint32_t, std::uint32_t>;

  bool read_launches();
  bool read_trace();
  bool read_streams();
  bool read_limits();
  void take(std::string_view record);
  void take_finding(const Json& record);
  void take_host(const Json& record);
  void take_timing(Json record);
  std::string how_to_look(const Json& record) const;
  using Calls = std::vector<std::pair<std::string, std::vector<std::string>>>;
  Calls calls_of(const Json& record);
  void add(CheckedFinding finding);
  void finish(const std::string& program, const ExecEnd& end);
  std::string summary() const;

  Session& session_;
  host::ExecOptions options_;
  HostLines lines_;
  CheckReport report_;
  std::optional<Suppressions> suppressions_;
  std::map<Key, std::size_t> numbers_;              // of the findings
  std::vector<std::uint64_t> times_;                // that each was found
  std::map<std::string_view, std::size_t> counts_;  // by severity
  Timing timing_;                                   // null: nothing is timed
  std::vector<Json> timed_;                         // a record a launch
};

bool Execution::read_options() {
  const Options& options = session_.options;
  if (!read_error_exitcode(session_)) return false;
  options_.checks = options.check != "off";
  options_.only = options.only;
  options_.leaks = options.leak_check != "no";
  report_.warnings_fail = options.error_on == kOnWarning;
  if (!read_launches() || !read_trace() || !read_streams() || !read_limits()) return false;
  session_.reply.answer_to(options.log);
  return read_suppressions(session_, suppressions_);
}

// "3", "1-3", "2-"
bool Execution::read_launches() {
  const std::string& text = session_.options.launches;
  if (text.empty()) return true;
  const std::size_t dash = text.find('-');
  if (!read_number(session_, "--launches", text.substr(0, dash), 1, options_.first_launch)) return false;
  if (dash == std::string::npos) options_.last_launch = options_.first_launch;
  else if (dash + 1 < text.size() &&
           !read_number(session_, "--launches", text.substr(dash + 1), options_.first_launch, options_.last_launch))
    return false;
  return true;
}

// "issue", "fuzz:7"
bool Execution::read_streams() {
  static const std::string kFuzz = "fuzz:";
  const std::string& text = session_.options.streams;
  if (text.empty() || text == "issue") return true;
  if (!text.starts_with(kFuzz) || text == kFuzz) {
    session_.reply.fail(ExitCode::Usage, "usage", "--streams wants issue or fuzz:SEED, not " + in_ticks(text),
                        "`--streams fuzz:1`, then other numbers: each is another order, the same each time");
    return false;
  }
  options_.fuzzes_streams = true;
  return read_number(session_, "--streams", text.substr(kFuzz.size()), 0, options_.streams_seed);
}

// "reduce*:2": the second launch of a kernel.
bool Execution::read_trace() {
  const Options& options = session_.options;
  if (options.trace_of.empty()) return true;
  if (options.output.empty() || is_stdout(options.output)) {
    session_.reply.fail(ExitCode::Usage, "usage", "--trace wants -o FILE: standard output is the program's");
    return false;
  }
  const std::size_t colon = options.trace_of.rfind(':');
  options_.trace_kernel = options.trace_of.substr(0, colon);
  options_.trace = options.output;
  return colon == std::string::npos ||
         read_number(session_, "--trace", options.trace_of.substr(colon + 1), 1, options_.trace_number);
}

// How launches are timed, and how long they may take.
bool Execution::read_limits() {
  const ChosenProfile* const chosen = chosen_profile(session_);
  if (chosen == nullptr) return false;
  timing_ = chosen->bounds.front();
  options_.times_code = timing_ && timing_->machine_code && session_.options.timing != "program";
  if (options_.times_code) options_.ptxas = ptxas_here();
  if (!can_have_engine(session_)) return false;
  options_.engine = session_.options.engine;
  options_.logs_engine = session_.options.engine_log;
  if (!read_number(session_, "--threads", session_.options.threads, 1, options_.threads, kMostThreads)) return false;
  return read_number(session_, "--max-cycles", session_.options.max_cycles, 1, options_.max_cycles);
}

void Execution::run() {
  const std::vector<std::string>& words = session_.options.names;
  if (words.empty()) {
    session_.reply.fail(ExitCode::Usage, "usage", "`exec` wants a program", "`warpsim exec ./app ARGUMENTS...`");
    return;
  }
  if (cuda_folder().empty()) {
    session_.reply.fail(ExitCode::Unsupported, "library", "libcudart.so.13 of warpsim is not beside the command",
                        "build all of warpsim, or install it");
    return;
  }
  const std::string path = find_program_file(words.front());
  if (path.empty()) {
    session_.reply.fail(
        ExitCode::BadInput, "file", "there is no program " + in_ticks(words.front()) + ", or it is not executable",
        words.front().find('/') == std::string::npos ? "`./" + words.front() + "` is one in this folder" : "");
    return;
  }
  if (const std::optional<Refusal> refusal = refusal_of(path)) {
    session_.reply.fail(refusal->code, "program", refusal->message, refusal->hint);
    return;
  }
  const ExecEnd end = run_program(path, words, options_, timing_, [this](std::string_view record) { take(record); });
  if (!end.was_started) {
    session_.reply.fail(ExitCode::BadInput, "file",
                        path + " could not be started: " + std::string(std::strerror(end.start_error)),
                        end.start_error == ENOEXEC ? "a script begins with #!, say #!/bin/sh" : "");
    return;
  }
  finish(words.front(), end);
}

void Execution::take(std::string_view text) {
  const Json record = Json::parse(text, nullptr, false);
  if (!record.is_object()) return;
  const std::string is = record.value("is", "");
  if (is == "message") session_.reply.note(record.value("text", ""));
  else if (is == "finding") take_finding(record);
  else if (is == "host") take_host(record);
  else if (is == "timing") take_timing(record);
}

// Where the host called, without what headers of CUDA's put between.
Execution::Calls Execution::calls_of(const Json& record) {
  Calls calls;
  const std::string kernel = record.value("kernel", "");
  for (const Json& call : record.value("calls", Json::array())) {
    auto& [what, places] = calls.emplace_back(call.value("what", ""), std::vector<std::string>());
    for (const Json& frame : call.value("frames", Json::array())) {
      std::string place =
          lines_.place({frame.value("file", ""), frame.value("offset", std::uint64_t{0}), frame.value("symbol", "")});
      if (!HostLines::is_wrapper(place, kernel)) places.push_back(std::move(place));
    }
  }
  return calls;
}

void Execution::take_finding(const Json& record) {
  CheckedFinding made;
  const std::optional<Finding> code = finding_of(record.value("code", ""));
  if (!code) return;
  made.code = *code;
  made.severity = info(*code).severity;
  made.program = record.value("kernel", "");
  made.file = record.value("file", "");
  made.where.line = record.value("line", 0U);
  made.where.column = record.value("column", 0U);
  made.finding.code = *code;
  made.finding.message = Message(record.value("message", ""));
  made.finding.hint = Message(record.value("hint", ""));
  made.finding.cycle = record.value("cycle", std::uint64_t{0});
  made.finding.block = record.value("block", 0U);
  made.finding.warp = record.value("warp", 0U);
  made.finding.lanes = record.value("lanes", LaneMask{0});
  made.traps = record.value("trap", false);
  made.drawn = record.value("text", "") +
               below("launch " + std::to_string(record.value("launch", std::uint64_t{0})) + ", of " + made.program);
  for (const auto& [what, places] : calls_of(record))
    if (!places.empty()) made.drawn += below(what + " in " + places.front());
  made.drawn += how_to_look(record);
  Json shown = record;
  shown.erase("text");
  made.json = shown.dump();
  add(std::move(made));
}

// Which command shows the launch in which something was found; "" while that command runs, or where nothing is to be
// seen.
std::string Execution::how_to_look(const Json& record) const {
  const std::uint64_t cycle = record.value("first_cycle", std::uint64_t{0});
  if (cycle == 0 || !options_.trace.empty()) return "";
  std::string command;
  for (const std::string& word : session_.options.names) command += " " + word;
  return below("to look at it: `warpsim exec --trace '" + record.value("kernel", "") + ":" +
               std::to_string(record.value("number", std::uint64_t{0})) + "' -o run.ndjson" + command +
               "`, then `goto " + std::to_string(cycle) + "` in `warpsim step run.ndjson`");
}

void Execution::take_host(const Json& record) {
  CheckedFinding made;
  const std::optional<Finding> code = finding_of(record.value("code", ""));
  if (!code) return;
  made.code = *code;
  made.severity = info(*code).severity;
  made.program = "host";
  made.finding.code = *code;
  made.finding.message = Message(record.value("message", ""));
  made.finding.hint = Message(info(*code).hint);
  const Calls calls = calls_of(record);
  made.file = calls.empty() || calls.front().second.empty() ? "" : calls.front().second.front();
  made.drawn = host::draw_host_finding(*code, english(made.finding.message), calls);
  made.json = record.dump();
  add(std::move(made));
}

void Execution::take_timing(Json record) {
  const Calls calls = calls_of(record);
  record["launched"] = calls.empty() || calls.front().second.empty() ? "" : calls.front().second.front();
  record.erase("calls");
  record.erase("is");
  timed_.push_back(std::move(record));
}

// Each is drawn the first time that it is found; the same at the same place is counted.
void Execution::add(CheckedFinding finding) {
  const auto [at, is_new] =
      numbers_.emplace(Key{finding.program, code(finding.code), finding.file, finding.where.line, finding.where.column},
                       report_.findings.size());
  if (!is_new) return void(++times_[at->second]);
  finding.seen.push_back({"", 32, "blocks", "independent"});
  times_.push_back(1);
  report_.findings.push_back(std::move(finding));
  CheckReport alone;
  if (suppressions_) {
    alone.findings.push_back(report_.findings.back());
    suppressions_->apply(alone);
    report_.findings.back().suppressed_by = alone.findings.front().suppressed_by;
  }
  const CheckedFinding& one = report_.findings.back();
  ++counts_[one.suppressed_by ? "suppressed" : name(one.severity)];
  if (one.suppressed_by) return;
  const bool fails = session_.options.check != "warn" && (one.traps || fails_at(one.severity, report_.warnings_fail));
  session_.reply.fail_drawn(!fails      ? ExitCode::Ok
                            : one.traps ? ExitCode::Trap
                                        : ExitCode::Mismatch,
                            one.drawn, one.json);
}

std::string Execution::summary() const {
  std::string found;
  const auto add = [&](const std::string& text) { found += (found.empty() ? "" : ", ") + text; };
  for (const auto& [what, count] : counts_)
    add(what == "suppressed" ? std::to_string(count) + " suppressed" : counted(count, what));
  std::uint64_t again = 0;
  for (const std::uint64_t times : times_) again += times - 1;
  return found + (again == 0   ? ""
                  : again == 1 ? "; the same once more"
                               : "; the same " + std::to_string(again) + " more times");
}

void Execution::finish(const std::string& program, const ExecEnd& end) {
  if (end.signal != 0)
    session_.reply.note(program + " was ended by signal " + std::to_string(end.signal) + " (" +
                        ::strsignal(end.signal) + ")");
  if (!report_.findings.empty()) session_.reply.note(summary());
  // Standard output is the program's.
  if (timing_ && !session_.reply.json()) session_.reply.fail_drawn(ExitCode::Ok, timing_table(*timing_, timed_), "");
  JsonObject json;
  json.text("program", program)
      .number("exit_code", static_cast<std::uint64_t>(end.signal != 0 ? kSignalled + end.signal : end.exit_code));
  for (const auto& [member, what] :
       {std::pair{"errors", "error"}, {"warnings", "warning"}, {"suppressed", "suppressed"}})
    json.number(member, counts_.count(what) != 0 ? counts_.at(what) : 0);
  if (timing_) {
    std::vector<std::string> launches;
    for (const Json& one : timed_) launches.push_back(one.dump());
    json.text("profile", timing_->name).raw("launches", json_list(launches));
  }
  session_.reply.result(json.str());
  report_.runs.push_back({program, "", 32, {}, ""});
  for (std::size_t k = 0; k < report_.findings.size(); ++k) report_.runs.back().findings.push_back(k);
  const Options& options = session_.options;
  if (!options.sarif.empty()) session_.reply.write_to(options.sarif, sarif(report_));
  if (!options.junit.empty()) session_.reply.write_to(options.junit, junit_xml(junit_cases(report_)));
  // Findings change the exit code only where that was asked for, by --error-exitcode; and where warpsim itself has
  // stopped a launch: by --max-cycles, or for lack of memory.
  const bool is_stopped = std::any_of(report_.findings.begin(), report_.findings.end(), [](const CheckedFinding& one) {
    return one.code == Finding::CycleLimit || one.code == Finding::NoMemory;
  });
  session_.reply.exit_as(is_stopped        ? static_cast<int>(ExitCode::Trap)
                         : end.signal != 0 ? kSignalled + end.signal
                                           : end.exit_code);
}

}  // namespace

void run_exec(Session& session) {
  Execution execution(session);
  if (execution.read_options()) execution.run();
}

}  // namespace warpsim::tools
