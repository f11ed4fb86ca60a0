// Running the trials and comparing; see grader.h.
#include "tools/grade/grader.h"

#include <algorithm>
#include <utility>

#include "isa/cases/case.h"
#include "tools/report/check_report.h"
#include "tools/report/trap_text.h"
#include "tools/session/loading.h"
#include "tools/session/overrides.h"
#include "tools/support/counts_text.h"
#include "tools/support/words.h"
#include "traces/explain/wrong_answer.h"

namespace warpsim::tools {

namespace {

// A program that does not end is stopped once it has taken so many times the solution's cycles, and these.
constexpr std::uint64_t kPatience = 50, kLeastCycles = 100'000;
constexpr unsigned kTimedLanes = 32;  // those of the GPU that the profile was measured on

std::string param_text(const Param& param) {
  static constexpr std::string_view kKindWords[] = {"in", "out", "inout", "param"};
  return std::string(kKindWords[static_cast<std::size_t>(param.kind)]) + " " + param.name + ": " +
         std::string(name(param.type));
}

bool has_params_of(Session& session, const Lesson& solution, const Lesson& program) {
  for (const Param& param : solution.params) {
    const std::int32_t at = program.find_param(param.name);
    const Param* const own = at < 0 ? nullptr : &program.params[static_cast<std::size_t>(at)];
    if (own != nullptr && own->kind == param.kind && own->type == param.type) continue;
    session.reply.fail(ExitCode::BadInput, "task",
                       program.full_name() + " has no parameter " + in_ticks(param_text(param)) +
                           (own == nullptr ? "" : ", but " + in_ticks(param_text(*own))),
                       "begin with what `warpsim grade` prints for the task");
    return false;
  }
  for (const Param& param : program.params) {
    if (solution.find_param(param.name) >= 0) continue;
    session.reply.fail(ExitCode::BadInput, "task",
                       program.full_name() + " has a parameter " + in_ticks(param.name) + ", which the task has not",
                       "take it out");
    return false;
  }
  return true;
}

class Grader {
 public:
  Grader(Session& session, const Lesson& solution, const Lesson& program)
      : session_(session), solution_(solution), program_(program) {}

  std::optional<PreparedCase> prepare_own(const Trial& trial) const;
  // Nothing where the launch was refused.
  std::optional<Trace> run(const PreparedCase& prepared, bool whole) const;
  GradedRun::Status status_of(const Trial& trial, const TraceOutcome& outcome) const;
  Feedback feedback(const Trial& trial, const PreparedCase& own, const Trace& trace, GradedRun run) const;

 private:
  bool is_fault(const Trial& trial, const TraceFinding& finding) const;
  TraceFinding first_fault(const Trial& trial, const PreparedCase& own, const Trace& trace) const;
  Expected expected_of(const Trial& trial) const;

  Session& session_;
  const Lesson& solution_;
  const Lesson& program_;
};

std::optional<PreparedCase> Grader::prepare_own(const Trial& trial) const {
  CaseOverrides same = same_launch(solution_, trial.prepared, trial.block, program_);
  same.max_cycles = std::max(kLeastCycles, trial.cycles * kPatience);
  std::optional<PreparedCase> own = prepare(session_, program_, Case{}, same);
  if (!own) return std::nullopt;
  own->name = trial.case_name;
  own->expected = trial.outputs;
  return own;
}

std::optional<Trace> Grader::run(const PreparedCase& prepared, bool whole) const {
  return whole ? execute(session_, program_, prepared, std::nullopt)
               : execute(session_, program_, prepared, no_events());
}

// An error; or a warning, unless the solution has it, too.
bool Grader::is_fault(const Trial& trial, const TraceFinding& finding) const {
  const std::optional<Finding> code = finding_of(finding.code.word);
  const bool is_allowed = trial.warnings.contains(finding.code.word) || (code && solution_.allows(*code));
  return fails_at(severity_of(finding), !is_allowed);
}

GradedRun::Status Grader::status_of(const Trial& trial, const TraceOutcome& outcome) const {
  if (outcome.trap) return GradedRun::Status::Trap;
  for (const TraceFinding& finding : outcome.findings)
    if (is_fault(trial, finding)) return GradedRun::Status::Finding;
  return outcome.passed == false ? GradedRun::Status::Wrong : GradedRun::Status::Right;
}

// What the solution makes of the trial's inputs with one of them changed.
Expected Grader::expected_of(const Trial& trial) const {
  return [this, &trial](const std::string& input, const Array& values) {
    PreparedCase changed = trial.prepared;
    changed.arguments.buffers[input] = values;
    const std::optional<Trial> other = tried(session_, solution_, changed);
    return other ? ExpectedOutputs(other->outputs.begin(), other->outputs.end()) : ExpectedOutputs{};
  };
}

TraceFinding Grader::first_fault(const Trial& trial, const PreparedCase& own, const Trace& trace) const {
  const TraceOutcome& outcome = trace.outcome;
  if (outcome.trap) return *outcome.trap;
  for (const TraceFinding& finding : outcome.findings)
    if (is_fault(trial, finding)) return finding;
  if (outcome.instructions <= kMostExplained)
    if (const std::optional<Trace> whole = run(own, true))
      if (const std::vector<RunFinding> found = explain_wrong_answers(*whole, expected_of(trial)); !found.empty())
        return told(found.front());
  TraceFinding wrong;
  wrong.code = Finding::WrongOutput;
  wrong.kind = kind(Finding::WrongOutput);
  wrong.message = mismatches(outcome).front();
  return wrong;
}

std::string list_of(const Array& array) {
  std::string text;
  for (const std::uint64_t bits : array.bits) text += (text.empty() ? "" : ",") + format_value(array.type, bits);
  return text;
}

Feedback Grader::feedback(const Trial& trial, const PreparedCase& own, const Trace& trace, GradedRun run) const {
  Feedback feedback{std::move(run), first_fault(trial, own, trace), "", false, {}, {}, own.config.grid, trial.block};
  feedback.finding.hint = {};
  feedback.drawn = draw_fault(program_, own.config.lanes, feedback.finding);
  for (const Param& param : program_.params) {
    if (param.kind == Param::Kind::Out) continue;
    if (const auto buffer = own.arguments.buffers.find(param.name); buffer != own.arguments.buffers.end())
      feedback.inputs.emplace_back(param.name, list_of(buffer->second));
    else if (const auto scalar = own.arguments.scalars.find(param.name); scalar != own.arguments.scalars.end())
      feedback.params.emplace_back(param.name, format_value(param.type, scalar->second));
  }
  return feedback;
}

bool are_outputs(const Trace& trace, const std::map<std::string, Array, std::less<>>& outputs) {
  return std::all_of(trace.outcome.outputs.begin(), trace.outcome.outputs.end(), [&](const auto& one) {
    const auto found = outputs.find(one.first);
    return found != outputs.end() && found->second == one.second;
  });
}

// Of both, over the cases' own inputs.
void add_cycles(Session& session, const Lesson& solution, const Grader& grader, TrialPlan plan, Verdict& verdict) {
  plan.lanes = {kTimedLanes};
  plan.hidden = 0;
  plan.timing = plan.cycles_by;
  std::uint64_t own = 0, theirs = 0;
  for (const Trial& trial : trials_of(session, solution, plan)) {
    const std::optional<PreparedCase> prepared = grader.prepare_own(trial);
    const std::optional<Trace> trace = prepared ? grader.run(*prepared, false) : std::nullopt;
    if (!trace) return;
    own += trace->outcome.cycles;
    theirs += trial.cycles;
  }
  verdict.cycles = own;
  verdict.solution_cycles = theirs;
}

std::string run_name(const Trial& trial) {
  return trial.case_name + " at " + lanes_text({trial.prepared.config.lanes}) +
         (trial.hidden == 0 ? "" : ", hidden " + std::to_string(trial.hidden));
}

}  // namespace

std::size_t Verdict::wrong() const {
  return static_cast<std::size_t>(std::count_if(
      runs.begin(), runs.end(), [](const GradedRun& one) { return one.status != GradedRun::Status::Right; }));
}

std::optional<Verdict> graded(Session& session, const Task& task, const Lesson& solution, const Lesson& program,
                              const TrialPlan& plan) {
  if (!has_params_of(session, solution, program)) return std::nullopt;
  const Grader grader(session, solution, program);
  Verdict verdict;
  const std::vector<Trial> trials = trials_of(session, solution, plan);
  const Trial* seen = nullptr;
  for (const Trial& trial : trials) {
    if (session.is_stopped()) return std::nullopt;
    if (trial.hidden == 0) seen = &trial;
    const std::optional<PreparedCase> own = grader.prepare_own(trial);
    const std::optional<Trace> trace = own ? grader.run(*own, false) : std::nullopt;
    if (!trace) return std::nullopt;
    GradedRun run{run_name(trial), trial.case_name, own->config.lanes, trial.hidden,
                  grader.status_of(trial, trace->outcome)};
    if (run.status != GradedRun::Status::Right && !verdict.feedback) {
      verdict.feedback = grader.feedback(trial, *own, *trace, run);
      verdict.feedback->same_as_seen =
          trial.hidden != 0 && seen->outputs != trial.outputs && are_outputs(*trace, seen->outputs);
    }
    verdict.runs.push_back(std::move(run));
  }
  if (task.kind == TaskKind::Faster && !verdict.feedback) add_cycles(session, solution, grader, plan, verdict);
  return verdict;
}

}  // namespace warpsim::tools
