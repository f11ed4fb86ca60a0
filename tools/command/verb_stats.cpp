// stats: what a run did and what it waited for, in numbers; each case of a program.
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/program/expand.h"
#include "tools/command/verbs.h"
#include "tools/report/statistics_text.h"
#include "tools/session/loading.h"
#include "tools/session/profile_option.h"
#include "tools/session/wording.h"
#include "tools/support/json_object.h"

namespace warpsim::tools {

namespace {

// The cases that --case names, or all.
std::vector<Case> cases_of(Session& session, const Lesson& program) {
  if (session.options.case_name.empty() && !program.cases.empty()) return program.cases;
  const std::optional<Case> one = choose_case(session, program);
  return one ? std::vector{*one} : std::vector<Case>{};
}

// One case, once for each of the profile's bounds; its JSON, nothing if it could not run.
std::optional<std::string> report_case(Session& session, const Lesson& program, const Case& one,
                                       const CaseOverrides& overrides, const Wording& wording, bool is_first) {
  std::optional<PreparedCase> prepared = prepare(session, program, one, overrides);
  if (!prepared) return std::nullopt;
  const Lesson expanded = session.options.expand ? expand_collectives(program, prepared->config.lanes) : Lesson{};
  const Lesson& what = session.options.expand ? expanded : program;
  std::list<StatisticsCounter> counters;
  std::vector<TimedRun> runs;
  std::optional<Trace> trace;
  for (const Timing& profile : chosen_profile(session)->bounds) {
    prepared->config.timing = profile;
    StatisticsCounter& counter = counters.emplace_back();
    std::optional<Trace> run = execute(session, what, *prepared, no_events(), {&counter});
    if (!run) return std::nullopt;
    runs.push_back({profile.get(), counter.statistics()});
    if (!trace) trace = std::move(run);
  }
  const StatisticsWording words{session.options.ascii, wording.language, wording.texts()};
  session.reply.text((is_first ? "" : "\n") + statistics_text(trace->head, runs, words));
  report_outcome(session, what, *trace);
  return statistics_json(trace->head, runs);
}

}  // namespace

void run_stats(Session& session) {
  if (!read_error_exitcode(session)) return;
  const std::optional<Lesson> program = load_program(session, session.options.names.front());
  if (!program) return;
  const std::optional<CaseOverrides> overrides = read_overrides(session, *program);
  if (!overrides) return;
  const std::optional<Wording> wording = wording_of(session);
  if (!wording) return;
  std::vector<std::string> reports;
  for (const Case& one : cases_of(session, *program))
    if (std::optional<std::string> json = report_case(session, *program, one, *overrides, *wording, reports.empty()))
      reports.push_back(*std::move(json));
  session.reply.result(JsonObject().raw("reports", json_list(reports)).str());
}

}  // namespace warpsim::tools
