// grade: the tasks; what one asks; whether a program, or answers, solve it.
//
// The hidden inputs follow from the file's own bytes, so that a file has the same verdict everywhere, and no file can
// hold the outputs for its own; --seed replaces that, for a class.
#include "tools/grade/grade_verb.h"

#include <algorithm>
#include <string>
#include <vector>

#include "isa/text/number_text.h"
#include "tools/grade/grader.h"
#include "tools/grade/question.h"
#include "tools/grade/task.h"
#include "tools/report/junit.h"
#include "tools/report/trap_text.h"
#include "tools/session/loading.h"
#include "tools/session/overrides.h"
#include "tools/session/profile_option.h"
#include "tools/support/interrupt.h"
#include "tools/support/json_object.h"
#include "tools/support/output.h"
#include "tools/support/screen.h"
#include "tools/support/words.h"
#include "traces/words/fault_text.h"

namespace warpsim::tools {

namespace {

constexpr std::size_t kWidth = 80;
constexpr std::uint64_t kMostHints = 3;
constexpr std::string_view kTimedBy = "h200";

Language language_of(const Session& session) {
  return language_from(session.options.language).value_or(Language::English);
}

JsonObject task_json(const Session& session, const Task& task) {
  const TaskWords& words = task.in(session.options.language);
  return JsonObject()
      .text("name", task.name)
      .text("kind", name(task.kind))
      .text("program", task.program)
      .text("begins", task.start)
      .text("title", words.title)
      .text("text", words.text)
      .number("hints", words.hints.size());
}

void list_tasks(Session& session) {
  std::size_t width = 0;
  for (const Task& task : all_tasks()) width = std::max(width, task.name.size() + 2);
  std::string text;
  std::vector<std::string> rows;
  for (const Task& task : all_tasks()) {
    text += padded(task.name, width) + task.in(session.options.language).title + "\n";
    rows.push_back(task_json(session, task).str());
  }
  session.reply.text(text + "\nEvery other program of `warpsim list` is a task, too: to write it.\n");
  session.reply.result(JsonObject().raw("tasks", json_list(rows)).str());
}

// ---- what a task asks

std::string question_text(const Task& task) {
  const Question& asked = *task.question;
  return "Of `" + asked.instruction + "` in " + task.program + ", case " + asked.case_name + " at " +
         lanes_text({asked.lanes}) + ", time " + std::to_string(asked.time + 1) + ": " +
         (asked.reg.empty() ? "from which lane does each lane receive?"
                            : "which value does " + asked.reg + " hold on each lane afterwards?") +
         " `warpsim grade " + task.name + " -` reads an answer a lane.";
}

std::string question_json(const Task& task, const Answers& answers) {
  const Question& asked = *task.question;
  std::vector<std::string> lanes;
  for (const std::string& right : answers.right) lanes.emplace_back(right.empty() ? "false" : "true");
  return JsonObject()
      .number("lanes", asked.lanes)
      .text("case", asked.case_name)
      .text("instruction", asked.instruction)
      .text("register", asked.reg)
      .number("event", answers.event)
      .raw("asked", json_list(lanes))
      .str();
}

void say_task(Session& session, const Task& task) {
  const TaskWords& words = task.in(session.options.language);
  JsonObject json = task_json(session, task);
  if (task.kind == TaskKind::Predict) {
    const std::optional<Lesson> program = load_program(session, task.program);
    const std::optional<Answers> answers = program ? answers_to(session, task, *program) : std::nullopt;
    if (!answers) return;
    session.reply.text(words.title + "\n\n" + paragraph(words.text, kWidth) + "\n" +
                       paragraph(question_text(task), kWidth));
    return session.reply.result(json.raw("question", question_json(task, *answers)).str());
  }
  const std::optional<std::string> start = start_of(session, task);
  if (!start) return;
  session.reply.text(*start);
  session.reply.result(json.text("start", *start).str());
}

void say_hint(Session& session, const Task& task) {
  const TaskWords& words = task.in(session.options.language);
  std::uint64_t grade = 1;
  if (!read_number(session, "--hint", session.options.hint, 1, grade, kMostHints)) return;
  if (words.hints.size() < grade)
    return session.reply.fail(ExitCode::Usage, "usage", task.name + " has no hint of grade " + std::to_string(grade),
                              words.hints.empty() ? "`warpsim grade` lists the tasks that have hints" : "");
  session.reply.text(paragraph(words.hints[grade - 1], kWidth));
  session.reply.result(task_json(session, task).text("hint", words.hints[grade - 1]).str());
}

// ---- a verdict

std::string_view word_of(GradedRun::Status status) {
  switch (status) {
    case GradedRun::Status::Right: return "right";
    case GradedRun::Status::Wrong: return "wrong";
    case GradedRun::Status::Finding: return "finding";
    case GradedRun::Status::Trap: break;
  }
  return "trap";
}

std::string dim_text(const Dim3& dim) {
  std::string text = std::to_string(dim.x);
  if (dim.y != 1 || dim.z != 1) text += "x" + std::to_string(dim.y);
  if (dim.z != 1) text += "x" + std::to_string(dim.z);
  return text;
}

constexpr std::size_t kMostTyped = 160;  // characters of an input that somebody may want to type

// The command that steps through that run; "" if its inputs are too long for one.
std::string command_for(const std::string& file, const Feedback& feedback) {
  std::string text = "warpsim step " + file + " --lanes " + std::to_string(feedback.run.lanes) + " --grid " +
                     dim_text(feedback.grid) + " --block " + dim_text(feedback.block);
  for (const auto& [name, list] : feedback.inputs) {
    if (list.size() > kMostTyped) return "";
    text += " --input " + name + "=" + list;
  }
  for (const auto& [name, value] : feedback.params) text += " --param " + name + "=" + value;
  return text;
}

constexpr std::string_view kSameAsSeen =
    "The outputs are those of the case's own inputs, though these are others: the program\n"
    "has to compute them.\n";

std::string verdict_text(const Session& session, const Task& task, const std::string& file, const Verdict& verdict) {
  std::string text;
  if (verdict.solved()) {
    text = "solved: " + task.name + ", " + counted(verdict.runs.size(), "run") + " right\n";
    if (verdict.cycles)
      text += std::to_string(*verdict.cycles) + " cycles; the solution of the catalogue takes " +
              std::to_string(*verdict.solution_cycles) + "\n";
    return text + "beside that solution, step by step: warpsim view " + file + " " + task.program + "\n";
  }
  if (!verdict.feedback) {
    return "not solved: " + task.name + " is right, but takes " + std::to_string(*verdict.cycles) +
           " cycles; at most " + std::to_string(*verdict.solution_cycles) + " are asked for\n" +
           "what it waits for: warpsim stats " + file + " --lanes 32 --profile " + std::string(kTimedBy) + "\n";
  }
  const Feedback& feedback = *verdict.feedback;
  text = "not solved: " + task.name + ", " + std::to_string(verdict.wrong()) + " of " +
         counted(verdict.runs.size(), "run") + " not right; the smallest of them: " + feedback.run.name + "\n";
  if (feedback.same_as_seen) text += kSameAsSeen;
  const std::string command = command_for(file, feedback);
  if (!command.empty()) text += "step through it:\n  " + command + "\n";
  if (!task.in(session.options.language).hints.empty())
    text += "hints: warpsim grade " + task.name + " --hint 1, then 2, then 3\n";
  return text;
}

std::string pairs_json(const std::vector<std::pair<std::string, std::string>>& pairs) {
  JsonObject json;
  for (const auto& [name, text] : pairs) json.text(name, text);
  return json.str();
}

std::string feedback_json(const Session& session, const Lesson& program, const Feedback& feedback) {
  return JsonObject()
      .text("run", feedback.run.name)
      .text("case", feedback.run.case_name)
      .text("status", word_of(feedback.run.status))
      .number("lanes", feedback.run.lanes)
      .text("grid", dim_text(feedback.grid))
      .text("block", dim_text(feedback.block))
      .raw("inputs", pairs_json(feedback.inputs))
      .raw("params", pairs_json(feedback.params))
      .text("message", fault_text(feedback.finding.message, language_of(session)))
      .boolean("same_as_seen", feedback.same_as_seen)
      .raw("finding", fault_to_json(program, feedback.run.lanes, feedback.finding))
      .str();
}

std::string verdict_json(const Session& session, const Task& task, const Lesson& program, const Verdict& verdict,
                         std::uint64_t seed) {
  std::vector<std::string> runs;
  for (const GradedRun& run : verdict.runs)
    runs.push_back(JsonObject()
                       .text("run", run.name)
                       .number("lanes", run.lanes)
                       .boolean("hidden", run.hidden != 0)
                       .text("status", word_of(run.status))
                       .str());
  JsonObject json = task_json(session, task);
  json.boolean("solved", verdict.solved()).text("seed", std::to_string(seed)).raw("runs", json_list(runs));
  json.raw("feedback", verdict.feedback ? feedback_json(session, program, *verdict.feedback) : "null");
  if (verdict.cycles) json.number("cycles", *verdict.cycles).number("solution_cycles", *verdict.solution_cycles);
  return json.str();
}

std::vector<JUnitCase> junit_cases(const Task& task, const Verdict& verdict) {
  std::vector<JUnitCase> cases;
  for (const GradedRun& run : verdict.runs) {
    const bool is_first = verdict.feedback && verdict.feedback->run.name == run.name;
    JUnitCase one{task.name, run.name, JUnitCase::Outcome::Passed, "", "", ""};
    if (run.status == GradedRun::Status::Trap) one.outcome = JUnitCase::Outcome::Error;
    else if (run.status != GradedRun::Status::Right) one.outcome = JUnitCase::Outcome::Failure;
    if (run.status != GradedRun::Status::Right) one.message = word_of(run.status);
    if (is_first) one.message = english(verdict.feedback->finding.message), one.text = verdict.feedback->drawn;
    cases.push_back(std::move(one));
  }
  if (verdict.cycles)
    cases.push_back({task.name, "cycles", verdict.is_fast() ? JUnitCase::Outcome::Passed : JUnitCase::Outcome::Failure,
                     verdict.is_fast() ? ""
                                       : std::to_string(*verdict.cycles) + " cycles, at most " +
                                             std::to_string(*verdict.solution_cycles) + " are asked for",
                     "", ""});
  return cases;
}

// ---- grading

std::uint64_t seed_in(std::string_view text) {  // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

bool read_plan(Session& session, std::string_view text, TrialPlan& plan) {
  plan.seed = seed_in(text);
  if (!read_number(session, "--seed", session.options.seed, 0, plan.seed)) return false;
  if (!read_lane_list(session, plan.lanes)) return false;
  const ChosenProfile* const profile = chosen_profile(session, kTimedBy);
  if (profile != nullptr) plan.cycles_by = profile->bounds.front();
  return profile != nullptr;
}

void grade_answers(Session& session, const Task& task, std::string_view given) {
  const std::optional<Lesson> program = load_program(session, task.program);
  const std::optional<Answers> answers = program ? answers_to(session, task, *program) : std::nullopt;
  const std::optional<Marked> result = answers ? marked(session, *answers, given) : std::nullopt;
  if (!result) return;
  const bool solved = result->wrong.empty();
  if (solved) session.reply.text("solved: " + task.name + ", all of " + counted(result->asked, "lane") + " right\n");
  else
    session.reply.text("not solved: " + task.name + ", " + std::to_string(result->wrong.size()) + " of " +
                       counted(result->asked, "lane") + " not right; the first is lane " +
                       std::to_string(result->wrong.front()) + "\n");
  JsonObject json = task_json(session, task);
  json.boolean("solved", solved).raw("first_wrong", solved ? "null" : std::to_string(result->wrong.front()));
  json.number("wrong", result->wrong.size()).number("asked", result->asked);
  session.reply.result(json.str());
  if (!solved) session.reply.fail_quietly(ExitCode::Mismatch);
}

void grade_program(Session& session, const Task& task, const std::string& file) {
  const std::optional<Lesson> solution = load_program(session, task.program);
  const std::optional<Lesson> program = solution ? load_program(session, file) : std::nullopt;
  TrialPlan plan;
  if (!program || !read_plan(session, program->source().text, plan)) return;
  const std::optional<Verdict> verdict = graded(session, task, *solution, *program, plan);
  if (!verdict) return;
  if (verdict->runs.empty())
    return session.reply.fail(ExitCode::Usage, "usage", "no case of " + task.program + " runs at these lane counts");
  if (const auto& feedback = verdict->feedback)
    session.reply.fail_drawn(feedback->run.status == GradedRun::Status::Trap ? ExitCode::Trap : ExitCode::Mismatch,
                             feedback->drawn, fault_to_json(*program, feedback->run.lanes, feedback->finding));
  if (!verdict->solved()) session.reply.fail_quietly(ExitCode::Mismatch);
  if (!is_stdout(session.options.junit)) session.reply.text(verdict_text(session, task, file, *verdict));
  session.reply.result(verdict_json(session, task, *program, *verdict, plan.seed));
  if (!session.options.junit.empty())
    session.reply.write_to(session.options.junit, junit_xml(junit_cases(task, *verdict)));
}

}  // namespace

void run_grade(Session& session) {
  const std::vector<std::string>& names = session.options.names;
  if (session.reply.json() && is_stdout(session.options.junit))
    return session.reply.fail(ExitCode::Usage, "usage", "--json and --junit - both want standard output",
                              "write one of them to a file: --junit FILE");
  if (names.empty()) return list_tasks(session);
  const std::optional<Task> task = task_named(session, names.front());
  if (!task) return;
  if (!session.options.hint.empty()) return say_hint(session, *task);
  if (names.size() == 1) return say_task(session, *task);
  session.stop = catch_interrupt();
  if (task->kind != TaskKind::Predict) return grade_program(session, *task, names[1]);
  std::string given, error;
  if (read_file(names[1], given, error)) grade_answers(session, *task, given);
  else session.reply.fail(ExitCode::BadInput, "file", error);
}

}  // namespace warpsim::tools
