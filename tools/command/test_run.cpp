// One case at one lane count; see test_run.h.
#include "tools/command/test_run.h"

#include <algorithm>
#include <optional>

#include "isa/program/expand.h"
#include "sim/advice/advice.h"
#include "tools/report/trap_text.h"
#include "tools/session/loading.h"
#include "tools/session/other_schedules.h"
#include "tools/support/words.h"

namespace warpsim::tools {

namespace {

std::uint32_t line_of(const Lesson& program, std::int32_t pc) {
  return pc >= 0 && static_cast<std::size_t>(pc) < program.code.size()
             ? program.code[static_cast<std::size_t>(pc)].where.line
             : 0;
}

std::string found_text(const Lesson& program, const TraceFinding& fault) {
  const std::uint32_t line = line_of(program, fault.pc);
  return fault.code.word + (line == 0 ? "" : " in line " + std::to_string(line)) + ": " + english(fault.message);
}

constexpr std::uint64_t kSchedulesTried = 8;  // tried for a case that says that its result depends on them

// That the result depends on the schedule, if it does.
std::optional<TraceFinding> found_by_schedules(Session& session, const Lesson& program, const PreparedCase& prepared,
                                               const Trace& base) {
  for (std::uint64_t seed = 1; seed <= kSchedulesTried; ++seed) {
    const PreparedCase other = under_schedule(prepared, seed, base.outcome.cycles);
    const std::optional<Trace> trace = execute(session, program, other, no_events());
    if (!trace || trace->outcome.trap) continue;
    if (auto differs = schedule_difference(program, base, *trace, other.config)) return differs;
  }
  return std::nullopt;
}

template <class Asks>
bool any_asked(const PreparedCase& prepared, Asks asks) {
  return std::any_of(prepared.findings.begin(), prepared.findings.end(),
                     [&](const ExpectedFinding& one) { return asks(one.code); });
}

bool asks_for_advice(const PreparedCase& prepared) {
  return any_asked(prepared, [](Finding finding) { return info(finding).severity == Severity::Advice; });
}

// All that a run found. Other schedules are tried where the case asks for what they show.
std::vector<TraceFinding> all_found(Session& session, const Lesson& ran, const PreparedCase& prepared,
                                    const Trace& trace, const Advice& advice) {
  const TraceOutcome& outcome = trace.outcome;
  std::vector<TraceFinding> found = outcome.findings;
  for (const RunFinding& each : advice.found()) found.push_back(told(each));
  if (any_asked(prepared, [](Finding finding) { return finding == Finding::DependsOnSchedule; }))
    if (auto differs = found_by_schedules(session, ran, prepared, trace)) found.push_back(std::move(*differs));
  if (outcome.trap) found.push_back(*outcome.trap);
  if (outcome.passed == false) {
    TraceFinding& wrong = found.emplace_back();
    wrong.code = Finding::WrongOutput;
    wrong.message = mismatches(outcome).front();
  }
  return found;
}

// The findings that a case expects, compared with those found: by line, for an expanded program has other instructions.
// "" if that is the same.
std::string unexpected(const Lesson& program, const std::vector<ExpectedFinding>& expected, const Lesson& ran,
                       const std::vector<TraceFinding>& found) {
  std::vector<bool> is_expected(found.size(), false);
  std::string text;
  for (const ExpectedFinding& one : expected) {
    bool is_found = false;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const bool fits =
          found[k].code == one.code && (one.pc < 0 || line_of(ran, found[k].pc) == line_of(program, one.pc));
      if (fits) is_found = is_expected[k] = true;
    }
    if (is_found) continue;
    text += (text.empty() ? "" : "; ") + code(one.code) +
            (one.pc < 0 ? "" : " in line " + std::to_string(line_of(program, one.pc))) + " was not found";
  }
  for (std::size_t k = 0; k < found.size(); ++k)
    if (!is_expected[k]) text += (text.empty() ? "" : "; ") + ("not expected: " + found_text(ran, found[k]));
  return text;
}

JUnitCase::Outcome outcome_of(TestRun::Status status) {
  switch (status) {
    case TestRun::Status::Passed:
    case TestRun::Status::Unchecked: return JUnitCase::Outcome::Passed;
    case TestRun::Status::Skipped: return JUnitCase::Outcome::Skipped;
    case TestRun::Status::Mismatch: return JUnitCase::Outcome::Failure;
    case TestRun::Status::Trap:
    case TestRun::Status::Error: break;
  }
  return JUnitCase::Outcome::Error;
}

TestRun run_once(Session& session, const Lesson& program, const Case& one, unsigned lanes, ShownWarnings& shown) {
  TestRun result{program.full_name(), run_name(one, lanes), TestRun::Status::Error, "", "", {}};
  const std::string who = result.program + ", case " + result.name;
  CaseOverrides overrides;
  overrides.lanes = lanes;
  if (!read_machine(session, overrides)) return result;
  const std::optional<PreparedCase> prepared = prepare(session, program, one, overrides);
  if (!prepared) {
    result.message = "the case has an error";
    return result;
  }
  const Lesson expanded = session.options.expand ? expand_collectives(program, lanes) : Lesson{};
  const Lesson& what = session.options.expand ? expanded : program;
  Advice advice;
  ExactnessCounter exactness;
  const std::optional<Trace> trace = asks_for_advice(*prepared)
                                         ? execute(session, what, *prepared, no_events(), {&exactness, &advice})
                                         : execute(session, what, *prepared, no_events(), {&exactness});
  if (!trace) {
    result.message = "the case does not fit the machine";
    return result;
  }
  const TraceOutcome& outcome = trace->outcome;
  const auto failing = [&session](const TraceFinding& finding) { return fails(session.options, finding); };
  result.exactness = exactness.counts();
  if (!prepared->findings.empty()) {
    result.message = unexpected(program, prepared->findings, what, all_found(session, what, *prepared, *trace, advice));
    result.status = result.message.empty() ? TestRun::Status::Passed : TestRun::Status::Mismatch;
    if (result.failed()) session.reply.fail(ExitCode::Mismatch, "finding", who + ": " + result.message);
  } else if (outcome.trap) {
    result.status = TestRun::Status::Trap;
    result.message = english(outcome.trap->message);
    session.reply.fail_drawn(ExitCode::Trap, who + ":\n" + draw_fault(what, lanes, *outcome.trap),
                             fault_to_json(what, lanes, *outcome.trap));
  } else if (outcome.passed.value_or(true) && std::none_of(outcome.findings.begin(), outcome.findings.end(), failing)) {
    for (const TraceFinding& finding : outcome.findings)
      if (shown.emplace(result.program, finding.code.word, finding.pc).second)
        session.reply.fail_drawn(ExitCode::Ok, who + ":\n" + draw_fault(what, lanes, finding),
                                 fault_to_json(what, lanes, finding));
    result.status = outcome.passed ? TestRun::Status::Passed : TestRun::Status::Unchecked;
  } else {
    result.status = TestRun::Status::Mismatch;
    for (const Message& sentence : mismatches(outcome))
      result.message += (result.message.empty() ? "" : "; ") + english(sentence);
    for (const TraceFinding& finding : outcome.findings)
      result.message += (result.message.empty() ? "" : "; ") + found_text(what, finding);
    session.reply.fail(ExitCode::Mismatch, "mismatch", who + ": " + result.message);
  }
  return result;
}

}  // namespace

std::string run_name(const Case& one, unsigned lanes) { return one.name + " at " + lanes_text({lanes}); }

std::vector<JUnitCase> junit_cases(const std::vector<TestRun>& runs) {
  std::vector<JUnitCase> cases;
  for (const TestRun& run : runs)
    cases.push_back({run.program, run.name, outcome_of(run.status), run.message, run.messages, ""});
  return cases;
}

TestRun test_run(Session& session, const Lesson& program, const Case& one, unsigned lanes, ShownWarnings& shown) {
  const std::size_t said_before = session.reply.said().size();
  TestRun result = run_once(session, program, one, lanes, shown);
  result.messages = session.reply.said().substr(said_before);
  return result;
}

}  // namespace warpsim::tools
