// stats: what a run did and what it waited for, in numbers; each case of a program, or the run that a trace holds.
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/program/expand.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "tools/command/verbs.h"
#include "tools/report/statistics_text.h"
#include "tools/session/loading.h"
#include "tools/session/profile_option.h"
#include "tools/session/trace_source.h"
#include "tools/session/wording.h"
#include "tools/support/json_object.h"
#include "traces/replay/trace_statistics.h"

namespace warpsim::tools {

namespace {

// The cases that --case names, or all.
std::vector<Case> cases_of(Session& session, const Lesson& program) {
  if (session.options.case_name.empty() && !program.cases.empty()) return program.cases;
  const std::optional<Case> one = choose_case(session, program);
  return one ? std::vector{*one} : std::vector<Case>{};
}

// Its head and its outcome, and its numbers. A watcher of programs hears nothing of machine code: the trace has it all.
std::optional<Trace> counted_run(Session& session, const Lesson& program, const PreparedCase& prepared,
                                 Statistics& statistics) {
  if (!session.runs_code()) {
    StatisticsCounter counter;
    std::optional<Trace> run = execute(session, program, prepared, no_events(), {&counter});
    statistics = counter.statistics();
    return run;
  }
  TraceStatistics counted;
  const TraceConsumer consumer{[&](const TraceHead& head) { counted.head(head); },
                               [&](const TraceEvent& event) { counted.event(event); },
                               [&](const TraceOutcome& outcome) { counted.outcome(outcome); }};
  std::optional<Trace> run = execute(session, program, prepared, consumer);
  statistics = counted.statistics();
  return run;
}

// One case, once for each of the profile's bounds; its JSON, nothing if it could not run.
std::optional<std::string> report_case(Session& session, const Lesson& program, const Case& one,
                                       const CaseOverrides& overrides, const Wording& wording, bool is_first) {
  std::optional<PreparedCase> prepared = prepare(session, program, one, overrides);
  if (!prepared) return std::nullopt;
  if (session.runs_code() && session.options.case_name.empty() && prepared->config.lanes != kPtxLanes) {
    session.reply.note("case " + one.name + " runs at " + std::to_string(prepared->config.lanes) +
                       " lanes, and machine code has 32: it is left out");
    return std::nullopt;
  }
  const Lesson expanded = session.options.expand ? expand_collectives(program, prepared->config.lanes) : Lesson{};
  const Lesson& what = session.options.expand ? expanded : program;
  std::list<Statistics> statistics;
  std::vector<TimedRun> runs;
  std::optional<Trace> trace;
  for (const Timing& profile : chosen_profile(session)->bounds) {
    prepared->config.timing = profile;
    std::optional<Trace> run = counted_run(session, what, *prepared, statistics.emplace_back());
    if (!run) return std::nullopt;
    runs.push_back({profile.get(), statistics.back(), profile.get(), run->outcome.first_launch});
    if (!trace) trace = std::move(run);
  }
  const StatisticsWording words{session.options.ascii, wording.language, wording.texts()};
  session.reply.text((is_first ? "" : "\n") + statistics_text(trace->head, runs, words));
  report_outcome(session, what, *trace);
  return statistics_json(trace->head, runs);
}

// The numbers of a recorded run, as that run has them itself.
void report_trace(Session& session, const std::string& path) {
  if (!is_recorded(session, path)) return;
  const std::optional<Wording> wording = wording_of(session);
  if (!wording) return;
  Trace facts;
  TraceStatistics counted;
  std::string against;
  const TraceConsumer consumer{[&](const TraceHead& head) {
                                 facts.head = head;
                                 against = TraceStatistics::reason_against(head);
                                 counted.head(head);
                               },
                               [&](const TraceEvent& event) { counted.event(event); },
                               [&](const TraceOutcome& outcome) { counted.outcome(outcome); }};
  if (!stream_file(session, path, consumer)) return;
  if (!against.empty())
    return session.reply.fail(ExitCode::Unsupported, "trace", "there are no statistics of " + path + ": " + against);
  std::optional<TimingProfile> profile;
  Timing known;
  if (counted.profile() != nullptr) {
    profile = *counted.profile();
    known = timing_called(profile->name);
    if (known) profile->title = known->title;
  }
  const std::vector<TimedRun> runs{{profile ? &*profile : nullptr, counted.statistics(), known.get(), 0}};
  session.reply.text(statistics_text(facts.head, runs, {session.options.ascii, wording->language, wording->texts()}));
  session.reply.result(JsonObject().raw("reports", json_list({statistics_json(facts.head, runs)})).str());
}

}  // namespace

void run_stats(Session& session) {
  if (!read_error_exitcode(session)) return;
  if (is_trace_file(session.options.names.front())) return report_trace(session, session.options.names.front());
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
  if (reports.empty() && session.runs_code() && session.reply.code() == ExitCode::Ok)
    return session.reply.fail(ExitCode::Unsupported, "unsupported", program->full_name() + " has no case at 32 lanes",
                              "--lanes 32, or --timing program");
  session.reply.result(JsonObject().raw("reports", json_list(reports)).str());
}

}  // namespace warpsim::tools
