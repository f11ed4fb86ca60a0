// One case at one lane count; see test_run.h.
#include "tools/test_run.h"

#include "isa/assembler.h"
#include "tools/loading.h"
#include "tools/trap_text.h"
#include "tools/words.h"

namespace warpsim::tools {

namespace {

TestRun run_once(Session& session, const Program& program, const Case& one, unsigned lanes) {
  TestRun result{program.full_name(), run_name(one, lanes), TestRun::Status::Error, "", ""};
  const std::string who = result.program + ", case " + result.name;
  CaseOverrides overrides;
  overrides.lanes = lanes;
  const std::optional<PreparedCase> prepared = prepare(session, program, one, overrides);
  if (!prepared) {
    result.message = "the case has an error";
    return result;
  }
  const Program expanded = session.options.expand ? expand_collectives(program, lanes) : Program{};
  const Program& what = session.options.expand ? expanded : program;
  const std::optional<Trace> trace = execute(session, what, *prepared, no_events());
  if (!trace) {
    result.message = "the case does not fit the machine";
    return result;
  }
  const TraceOutcome& outcome = trace->outcome;
  if (outcome.trap) {
    result.status = TestRun::Status::Trap;
    result.message = outcome.trap->message;
    session.reply.fail_drawn(ExitCode::Trap, who + ":\n" + draw_trap(what, *trace, *outcome.trap),
                             trap_to_json(what, *trace, *outcome.trap));
  } else if (outcome.ok) {
    result.status = outcome.passed ? TestRun::Status::Passed : TestRun::Status::Unchecked;
  } else {
    result.status = TestRun::Status::Mismatch;
    for (const std::string& sentence : mismatches(outcome))
      result.message += (result.message.empty() ? "" : "; ") + sentence;
    for (const TraceFinding& finding : outcome.findings)
      result.message += (result.message.empty() ? "" : "; ") + finding.message;
    session.reply.fail(ExitCode::Mismatch, "mismatch", who + ": " + result.message);
  }
  return result;
}

}  // namespace

std::string run_name(const Case& one, unsigned lanes) { return one.name + " at " + lanes_text({lanes}); }

TestRun test_run(Session& session, const Program& program, const Case& one, unsigned lanes) {
  const std::size_t said_before = session.reply.said().size();
  TestRun result = run_once(session, program, one, lanes);
  result.messages = session.reply.said().substr(said_before);
  return result;
}

}  // namespace warpsim::tools
