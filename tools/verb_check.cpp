// check: what is undefined, races, deadlocks, wrong answers, in every case at every lane count and under other
// schedules. Each finding is told once, with the runs that showed it.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "isa/assembler.h"
#include "isa/number_text.h"
#include "sim/machine.h"
#include "tools/check_report.h"
#include "tools/json_object.h"
#include "tools/loading.h"
#include "tools/named_programs.h"
#include "tools/other_schedules.h"
#include "tools/trap_text.h"
#include "tools/verbs.h"
#include "tools/words.h"

namespace warpsim::tools {

namespace {

constexpr std::uint64_t kSchedules = 4;  // others, unless said
constexpr std::uint64_t kMostSchedules = 1'000'000;

class Checking {
 public:
  explicit Checking(Session& session) : session_(session) {}

  bool read_options();
  void check(const Program& program);
  void cannot_assemble(const std::string& name) { report_.runs.push_back({name, "", 0, {}, "it does not assemble"}); }
  void finish();

 private:
  using Key = std::tuple<std::string, std::string, std::int32_t>;  // program, code or kind, pc

  void check_case(const Program& program, const Case& one, unsigned lanes);
  void check_schedules(const Program& program, const PreparedCase& prepared, const Trace& base);
  void take(const Program& program, const PreparedCase& prepared, const Trace& trace);
  void add(const Program& program, const PreparedCase& prepared, const TraceFinding& finding, bool traps);
  std::optional<Trace> run(const Program& program, const PreparedCase& prepared);
  void draw(CheckedFinding& finding);
  std::string seen_text(const CheckedFinding& finding) const;

  Session& session_;
  std::uint64_t schedules_ = kSchedules;
  std::size_t programs_ = 0, cases_ = 0, other_runs_ = 0;
  CheckReport report_;
  std::map<Key, std::size_t> numbers_;  // of the findings
};

bool Checking::read_options() {
  return read_number(session_, "--schedules", session_.options.schedules, 0, schedules_, kMostSchedules);
}

void Checking::check(const Program& program) {
  // Without a name all is checked that is meant to be right.
  if (session_.options.names.empty() && expects_findings(program)) return;
  ++programs_;
  std::vector<Case> cases = program.cases;
  if (cases.empty()) cases.emplace_back();
  const std::string& wanted = session_.options.case_name;
  bool any = false;
  for (const Case& one : cases) {
    if (!wanted.empty() && one.name != wanted) continue;
    any = true;
    ++cases_;
    std::vector<unsigned> counts = lane_counts(program, one);
    if (!session_.options.lanes.empty()) counts = {0};  // as --lanes says
    for (const unsigned lanes : counts) check_case(program, one, lanes);
  }
  if (!any && session_.options.names.size() == 1) static_cast<void>(choose_case(session_, program));  // says what there is
}

void Checking::check_case(const Program& program, const Case& one, unsigned lanes) {
  std::optional<CaseOverrides> overrides = read_overrides(session_, program);
  if (!overrides) return;
  if (lanes != 0) overrides->lanes = lanes;
  const std::optional<PreparedCase> prepared = prepare(session_, program, one, *overrides);
  report_.runs.push_back({program.full_name(), one.name, prepared ? prepared->config.lanes : lanes, {}, ""});
  if (!prepared) {
    report_.runs.back().error = "the case has an error";
    return;
  }
  const Program expanded = session_.options.expand ? expand_collectives(program, prepared->config.lanes) : Program{};
  const Program& what = session_.options.expand ? expanded : program;
  const std::optional<Trace> base = run(what, *prepared);
  if (!base) {
    report_.runs.back().error = "the case does not fit the machine";
    return;
  }
  take(what, *prepared, *base);
  if (!base->outcome.trap) check_schedules(what, *prepared, *base);
}

std::optional<Trace> Checking::run(const Program& program, const PreparedCase& prepared) {
  return execute(session_, program, prepared, no_events());
}

void Checking::check_schedules(const Program& program, const PreparedCase& prepared, const Trace& base) {
  for (std::uint64_t seed = 1; seed <= schedules_; ++seed) {
    const PreparedCase other = under_schedule(prepared, seed, base.outcome.cycles);
    const std::optional<Trace> trace = run(program, other);
    if (!trace) return;
    ++other_runs_;
    take(program, other, *trace);
    if (trace->outcome.trap) continue;
    if (const auto differs = schedule_difference(program, base, *trace, other.config)) add(program, other, *differs, false);
  }
}

void Checking::take(const Program& program, const PreparedCase& prepared, const Trace& trace) {
  for (const TraceFinding& finding : trace.outcome.findings) add(program, prepared, finding, false);
  if (trace.outcome.trap) add(program, prepared, *trace.outcome.trap, true);
  if (trace.outcome.passed != false || prepared.config.schedule.fuzz) return;
  TraceFinding wrong;
  wrong.code = code(Finding::WrongOutput);
  wrong.kind = kind(Finding::WrongOutput);
  for (const std::string& sentence : mismatches(trace.outcome))
    wrong.message += (wrong.message.empty() ? "" : "; ") + sentence;
  add(program, prepared, wrong, false);
}

void Checking::add(const Program& program, const PreparedCase& prepared, const TraceFinding& finding, bool traps) {
  const auto [at, is_new] = numbers_.emplace(Key{program.full_name(), finding.code, finding.pc}, report_.findings.size());
  if (is_new) {
    CheckedFinding& one = report_.findings.emplace_back();
    one.program = program.full_name();
    one.file = program.file;
    one.code = finding_of(finding.code).value_or(Finding::Deadlock);
    one.severity = severity_of(finding);
    one.where = place_of(program, finding);
    one.finding = finding;
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
    if (one.schedule != "rr") {
      if (other == nullptr) other = &one;
      continue;
    }
    if (cases.empty() || cases.back().first != one.case_name) cases.push_back({one.case_name, {}});
    cases.back().second.push_back(one.lanes);
  }
  std::string text;
  for (const auto& [name, lanes] : cases)
    text += (text.empty() ? "" : "; ") + (name.empty() ? "" : "case " + name + " ") + "at " + lanes_text(lanes);
  if (!text.empty() || other == nullptr) return text;
  return (other->case_name.empty() ? "" : "case " + other->case_name + " ") + "at " + lanes_text({other->lanes}) +
         " under --schedule " + other->schedule + " --reconvergence " + other->reconvergence;
}

void Checking::draw(CheckedFinding& finding) {
  const ExitCode code = finding.severity == Severity::Advice ? ExitCode::Ok
                        : finding.traps                      ? ExitCode::Trap
                                                             : ExitCode::Mismatch;
  finding.drawn += below("seen in " + seen_text(finding));
  session_.reply.fail_drawn(code, finding.drawn, finding.json);
}

void Checking::finish() {
  std::map<std::string_view, std::size_t> counts;
  for (CheckedFinding& one : report_.findings) {
    draw(one);
    ++counts[name(one.severity)];
  }
  std::size_t failed = 0;
  for (const CheckedRun& one : report_.runs) failed += one.error.empty() ? 0 : 1;
  std::string found;
  for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Wrong, Severity::Advice})
    if (const std::size_t count = counts[name(severity)]; count != 0)
      found += (found.empty() ? "" : ", ") + (severity == Severity::Advice ? counted(count, "piece") + " of advice"
                                                                            : counted(count, name(severity)));
  session_.reply.text(counted(programs_, "program") + ", " + counted(cases_, "case") + ", " +
                      counted(report_.runs.size(), "run") + " and " + std::to_string(other_runs_) +
                      " under other schedules: " + (found.empty() ? "nothing found" : found) +
                      (failed == 0 ? "" : "; " + std::to_string(failed) + " could not run") + "\n");
  JsonObject json;
  json.number("programs", programs_).number("cases", cases_).number("runs", report_.runs.size());
  json.number("other_runs", other_runs_).number("errors", counts["error"]).number("warnings", counts["warning"]);
  json.number("wrong_answers", counts["wrong answer"]).number("advice", counts["advice"]).number("failed", failed);
  session_.reply.result(json.str());
}

}  // namespace

void run_check(Session& session) {
  Checking checking(session);
  if (!checking.read_options()) return;
  for_each_named(session,
                 {[&](const Program& program) { checking.check(program); },
                  [&](const std::string& name, std::size_t) { checking.cannot_assemble(name); }});
  checking.finish();
}

}  // namespace warpsim::tools
