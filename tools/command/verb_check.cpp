// check: what is undefined, races, deadlocks, wrong answers, in every case at every lane count and under other
// schedules. Each finding is reported once, with the runs that showed it.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "isa/program/expand.h"
#include "isa/text/number_text.h"
#include "sim/advice/advice.h"
#include "sim/check/stale_swaps.h"
#include "sim/machine/machine.h"
#include "tools/command/verbs.h"
#include "tools/report/check_report.h"
#include "tools/report/junit.h"
#include "tools/report/sarif.h"
#include "tools/report/suppressions.h"
#include "tools/report/trap_text.h"
#include "tools/session/loading.h"
#include "tools/session/named_programs.h"
#include "tools/session/other_schedules.h"
#include "tools/support/counts_text.h"
#include "tools/support/files.h"
#include "tools/support/interrupt.h"
#include "tools/support/json_object.h"
#include "tools/support/words.h"
#include "traces/explain/wrong_answer.h"

namespace warpsim::tools {

namespace {

constexpr std::uint64_t kDefaultSchedules = 4;  // other schedules
// Where a compare-and-swap may store what is stale: others must do several things in between, and that is rare.
constexpr std::uint64_t kSchedulesForSwaps = 20;
constexpr std::uint64_t kMostSchedules = 1'000'000;

class Checking {
 public:
  explicit Checking(Session& session) : session_(session) {}

  bool read_options();
  void check(const Lesson& program);
  void cannot_load(const std::string& name) { report_.runs.push_back({name, "", 0, {}, "it could not be loaded"}); }
  void finish();

 private:
  using Key = std::tuple<std::string, std::string, std::uint32_t, std::uint32_t>;  // program, code, line, column

  void check_case(const Lesson& program, const Case& one, CaseOverrides overrides);
  void explain(const Lesson& program, const Case& one, const CaseOverrides& overrides, const PreparedCase& prepared,
               const Trace& base);
  void check_schedules(const Lesson& program, const PreparedCase& prepared, const Trace& base);
  void take(const Lesson& program, const PreparedCase& prepared, const Trace& trace);
  void add(const Lesson& program, const PreparedCase& prepared, const TraceFinding& finding, bool traps);
  static constexpr unsigned kUndefinedValues = 1, kRaces = 4;  // the hundreds of a code
  Message first_cause(const Lesson& program, unsigned family) const;
  std::optional<Trace> run(const Lesson& program, const PreparedCase& prepared, EventSink* advice = nullptr);
  std::map<std::string_view, std::size_t> draw_all();
  std::string summary(const std::map<std::string_view, std::size_t>& counts) const;
  std::string seen_text(const CheckedFinding& finding) const;

  Session& session_;
  std::uint64_t schedules_ = kDefaultSchedules;
  std::size_t cases_ = 0, other_runs_ = 0;
  CheckReport report_;
  ExactnessCounts exactness_{};
  std::optional<Suppressions> suppressions_;
  std::map<Key, std::size_t> numbers_;  // of the findings
};

bool Checking::read_options() {
  const Options& options = session_.options;
  const int to_stdout =
      (session_.reply.json() ? 1 : 0) + (is_stdout(options.sarif) ? 1 : 0) + (is_stdout(options.junit) ? 1 : 0);
  if (to_stdout > 1) {
    session_.reply.fail(ExitCode::Usage, "usage",
                        "only one of --json, --sarif - and --junit - can have standard output",
                        "write the others to files");
    return false;
  }
  report_.warnings_fail = options.error_on == kOnWarning;
  if (!read_number(session_, "--schedules", options.schedules, 0, schedules_, kMostSchedules)) return false;
  return read_suppressions(session_, suppressions_);
}

void Checking::check(const Lesson& program) {
  if (session_.is_stopped()) return;
  // Without a name all is checked that is meant to be right.
  if (session_.options.names.empty() && expects_findings(program)) return;
  report_.programs.push_back(checked_program(program));
  std::vector<Case> cases = program.cases;
  if (cases.empty()) cases.emplace_back();
  const std::string& wanted = session_.options.case_name;
  const std::optional<CaseOverrides> given = read_overrides(session_, program);
  if (!given) return;
  bool any = false;
  for (const Case& one : cases) {
    if (!wanted.empty() && one.name != wanted) continue;
    any = true;
    ++cases_;
    for (const unsigned lanes : given->lanes ? std::vector{*given->lanes} : lane_counts(program, one)) {
      if (session_.is_stopped()) return;
      CaseOverrides overrides = *given;
      overrides.lanes = lanes;
      check_case(program, one, std::move(overrides));
    }
  }
  if (!any && session_.options.names.size() == 1)
    static_cast<void>(choose_case(session_, program));  // says what there is
}

void Checking::check_case(const Lesson& program, const Case& one, CaseOverrides overrides) {
  const std::optional<PreparedCase> prepared = prepare(session_, program, one, overrides);
  report_.runs.push_back({program.full_name(), one.name, overrides.lanes.value_or(0), {}, ""});
  if (!prepared) {
    report_.runs.back().error = "the case has an error";
    return;
  }
  const Lesson expanded = session_.options.expand ? expand_collectives(program, prepared->config.lanes) : Lesson{};
  const Lesson& what = session_.options.expand ? expanded : program;
  Advice advice;
  const std::optional<Trace> base = run(what, *prepared, session_.options.advice ? &advice : nullptr);
  if (!base) {
    report_.runs.back().error = "the case does not fit the machine";
    return;
  }
  take(what, *prepared, *base);
  if (!base->outcome.trap && base->outcome.passed == false) explain(what, one, overrides, *prepared, *base);
  for (const RunFinding& found : advice.found()) add(what, *prepared, told(found), false);
  if (!base->outcome.trap) check_schedules(what, *prepared, *base);
}

std::optional<Trace> Checking::run(const Lesson& program, const PreparedCase& prepared, EventSink* advice) {
  ExactnessCounter exactness;
  const std::initializer_list<EventSink*> one = {&exactness}, both = {&exactness, advice};
  std::optional<Trace> trace = execute(session_, program, prepared, no_events(), advice != nullptr ? both : one);
  for (std::size_t k = 0; k < exactness_.size(); ++k) exactness_[k] += exactness.counts()[k];
  return trace;
}

// The outputs are not as expected: which inputs did not reach which lanes.
void Checking::explain(const Lesson& program, const Case& one, const CaseOverrides& overrides,
                       const PreparedCase& prepared, const Trace& base) {
  std::vector<RunFinding> found;
  if (base.outcome.instructions <= kMostExplained)
    if (const std::optional<Trace> whole = execute(session_, program, prepared, std::nullopt))
      found = explain_wrong_answers(*whole, expected_of(program, one, overrides));
  const Message cause = first_cause(program, kRaces);
  for (RunFinding& wrong : found) {
    if (wrong.hint.empty()) wrong.hint = cause.empty() ? first_cause(program, kUndefinedValues) : cause;
    add(program, prepared, told(wrong), false);
  }
  if (!found.empty()) return;
  TraceFinding wrong;
  wrong.code = Finding::WrongOutput;
  wrong.kind = kind(Finding::WrongOutput);
  wrong.hint = info(Finding::WrongOutput).hint;
  for (Message& sentence : mismatches(base.outcome)) add_sentence(wrong.message, std::move(sentence));
  add(program, prepared, wrong, false);
}

// An error of that family that the program has shown: what is wrong besides may follow from it.
Message Checking::first_cause(const Lesson& program, unsigned family) const {
  for (const CheckedFinding& one : report_.findings) {
    const bool is_cause = static_cast<unsigned>(one.code) / 100 == family && one.severity == Severity::Error &&
                          one.code != Finding::DependsOnSchedule && one.finding.pc >= 0;
    if (is_cause && one.program == program.full_name())
      return {MessageId::TryFirstCause, {code(one.code), program.line(one.finding.pc)}};
  }
  return {};
}

void Checking::check_schedules(const Lesson& program, const PreparedCase& prepared, const Trace& base) {
  const bool more = session_.options.schedules.empty() && may_swap_stale(program);
  const std::uint64_t last = more ? kSchedulesForSwaps : schedules_;
  for (std::uint64_t seed = 1; seed <= last && !session_.is_stopped(); ++seed) {
    const PreparedCase other = under_schedule(prepared, seed, base.outcome.cycles);
    const std::optional<Trace> trace = run(program, other);
    if (!trace) return;
    ++other_runs_;
    take(program, other, *trace);
    if (trace->outcome.trap) continue;
    if (auto differs = schedule_difference(program, base, *trace, other.config)) {
      if (const Message cause = first_cause(program, kRaces); !cause.empty()) differs->hint = cause;
      add(program, other, *differs, false);
    }
  }
}

void Checking::take(const Lesson& program, const PreparedCase& prepared, const Trace& trace) {
  for (const TraceFinding& finding : trace.outcome.findings) add(program, prepared, finding, false);
  if (trace.outcome.trap) add(program, prepared, *trace.outcome.trap, true);
}

void Checking::add(const Lesson& program, const PreparedCase& prepared, const TraceFinding& finding, bool traps) {
  CheckedFinding made;
  made.finding = finding;
  find_places(made, program);
  const auto [at, is_new] = numbers_.emplace(
      Key{program.full_name(), finding.code.word, made.in_text.line, made.in_text.column}, report_.findings.size());
  if (is_new) {
    CheckedFinding& one = report_.findings.emplace_back(std::move(made));
    one.program = program.full_name();
    one.code = finding.code.known.value_or(Finding::Deadlock);
    one.severity = severity_of(finding);
    one.traps = traps;
    one.drawn = draw_fault(program, prepared.config.lanes, finding);
    one.json = fault_to_json(program, prepared.config.lanes, finding);
  }
  report_.findings[at->second].seen.push_back({prepared.name, prepared.config.lanes, name(prepared.config.schedule),
                                               std::string(name(prepared.config.reconvergence))});
  std::vector<std::size_t>& shown = report_.runs.back().findings;
  if (std::find(shown.begin(), shown.end(), at->second) == shown.end()) shown.push_back(at->second);
}

// "in case test at 4, 8 lanes; only under other schedules: --schedule fuzz:3"
std::string Checking::seen_text(const CheckedFinding& finding) const {
  std::vector<std::pair<std::string, std::vector<unsigned>>> cases;
  const Sighting* other = nullptr;
  for (const Sighting& one : finding.seen) {
    if (one.schedule.starts_with("fuzz:")) {
      if (other == nullptr) other = &one;
      continue;
    }
    if (cases.empty() || cases.back().first != one.case_name) cases.push_back({one.case_name, {}});
    cases.back().second.push_back(one.lanes);
  }
  std::string text;
  for (const auto& [name, lanes] : cases)
    text += (text.empty() ? "" : "; ") + (name.empty() ? "" : "in case " + name + " ") + "at " + lanes_text(lanes);
  if (!text.empty() || other == nullptr) return text;
  return (other->case_name.empty() ? "" : "in case " + other->case_name + " ") + "at " + lanes_text({other->lanes}) +
         " under --schedule " + other->schedule + " --reconvergence " + other->reconvergence;
}

// Draws what is not suppressed; how many there are of each severity.
std::map<std::string_view, std::size_t> Checking::draw_all() {
  std::map<std::string_view, std::size_t> counts;
  for (CheckedFinding& one : report_.findings) {
    one.drawn += below("seen " + seen_text(one));
    ++counts[one.suppressed_by ? "suppressed" : name(one.severity)];
    if (one.suppressed_by) continue;
    const ExitCode code = one.traps                                       ? ExitCode::Trap
                          : fails_at(one.severity, report_.warnings_fail) ? ExitCode::Mismatch
                                                                          : ExitCode::Ok;
    session_.reply.fail_drawn(code, one.drawn, one.json);
  }
  return counts;
}

std::string Checking::summary(const std::map<std::string_view, std::size_t>& counts) const {
  std::string found;
  const auto add = [&](std::string_view what, const std::string& text) {
    if (counts.count(what) != 0) found += (found.empty() ? "" : ", ") + text;
  };
  const auto count = [&](std::string_view what) { return counts.count(what) != 0 ? counts.at(what) : 0; };
  for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Wrong})
    add(name(severity), counted(count(name(severity)), name(severity)));
  add(name(Severity::Advice), counted(count(name(Severity::Advice)), "piece") + " of advice");
  add("suppressed", std::to_string(count("suppressed")) + " suppressed");
  std::size_t failed = 0;
  for (const CheckedRun& one : report_.runs) failed += one.error.empty() ? 0 : 1;
  return counted(report_.programs.size(), "program") + ", " + counted(cases_, "case") + ", " +
         counted(report_.runs.size(), "run") + " and " + std::to_string(other_runs_) +
         " under other schedules: " + (found.empty() ? "nothing found" : found) +
         (failed == 0 ? "" : "; " + std::to_string(failed) + " could not run") +
         "\ninstructions: " + exactness_text(exactness_) + "\n";
}

void Checking::finish() {
  if (suppressions_) suppressions_->apply(report_);
  const std::map<std::string_view, std::size_t> counts = draw_all();
  if (suppressions_) {
    const std::size_t said = suppressions_->diagnostics().list.size();
    suppressions_->note_unused(report_, session_.options.names.empty() && session_.options.case_name.empty());
    Diagnostics notes = suppressions_->diagnostics();
    notes.list.erase(notes.list.begin(), notes.list.begin() + static_cast<std::ptrdiff_t>(said));
    session_.reply.fail(ExitCode::Ok, notes);
  }
  const Options& options = session_.options;
  if (!is_stdout(options.sarif) && !is_stdout(options.junit)) session_.reply.text(summary(counts));
  JsonObject json;
  json.number("programs", report_.programs.size()).number("cases", cases_).number("runs", report_.runs.size());
  json.number("other_runs", other_runs_);
  constexpr std::pair<std::string_view, std::string_view> kCounts[] = {{"errors", "error"},
                                                                       {"warnings", "warning"},
                                                                       {"wrong_answers", "wrong answer"},
                                                                       {"advice", "advice"},
                                                                       {"suppressed", "suppressed"}};
  for (const auto& [member, what] : kCounts) json.number(member, counts.count(what) != 0 ? counts.at(what) : 0);
  session_.reply.result(json.raw("instructions", exactness_json(exactness_)).str());
  for (std::size_t k = 0; k < exactness_.size(); ++k)
    (k == 0 ? report_.exact : k == 1 ? report_.approximate : report_.unsupported) = exactness_[k];
  if (!options.sarif.empty()) session_.reply.write_to(options.sarif, sarif(report_, working_folder()));
  if (!options.junit.empty()) session_.reply.write_to(options.junit, junit_xml(junit_cases(report_)));
}

}  // namespace

void run_check(Session& session) {
  if (!read_error_exitcode(session)) return;
  Checking checking(session);
  if (!checking.read_options()) return;
  session.stop = catch_interrupt();
  for_each_named(session, {[&](const Lesson& program) { checking.check(program); },
                           [&](const std::string& name, std::size_t) { checking.cannot_load(name); }});
  checking.finish();
}

}  // namespace warpsim::tools
