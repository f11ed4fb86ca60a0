// The table of tasks; see task.h.
#include "tools/grade/task.h"

#include <nlohmann/json.hpp>

#include "isa/text/diagnostic.h"
#include "isa/text/number_text.h"
#include "programs/embedded.h"
#include "tools/session/loading.h"
#include "tools/support/words.h"

namespace warpsim::tools {

namespace {

using TaskRow = nlohmann::json;

struct KindName {
  TaskKind kind;
  std::string_view name;
};
constexpr KindName kKinds[] = {{TaskKind::Predict, "predict"},
                               {TaskKind::Complete, "complete"},
                               {TaskKind::Fix, "fix"},
                               {TaskKind::Write, "write"},
                               {TaskKind::Faster, "faster"}};

Question question_of(const TaskRow& row) {
  Question asked;
  asked.lanes = row.at("lanes").get<unsigned>();
  asked.case_name = row.at("case").get<std::string>();
  asked.phase = row.value("phase", "");
  asked.instruction = row.at("instruction").get<std::string>();
  asked.time = row.value("time", 0U);
  if (row.at("ask") == "value") asked.reg = row.at("register").get<std::string>();
  return asked;
}

Task task_of(const TaskRow& row) {
  Task task;
  task.name = row.at("name").get<std::string>();
  const std::string kind = row.at("kind").get<std::string>();
  for (const KindName& one : kKinds)
    if (one.name == kind) task.kind = one.kind;
  task.program = row.at("program").get<std::string>();
  task.start = row.value("start", "");
  task.missing = row.value("missing", "");
  if (task.kind == TaskKind::Predict) task.question = question_of(row);
  for (const auto& [language, title] : row.at("title").items()) {
    TaskWords& words = task.words[language];
    words.title = title.get<std::string>();
    words.text = row.at("text").at(language).get<std::string>();
    words.hints = row.at("hints").at(language).get<std::vector<std::string>>();
  }
  return task;
}

std::vector<Task> read_tasks() {
  std::vector<Task> tasks;
  for (const TaskRow& row : TaskRow::parse(embedded_tasks())) tasks.push_back(task_of(row));
  return tasks;
}

}  // namespace

std::string_view name(TaskKind kind) { return kKinds[static_cast<std::size_t>(kind)].name; }

const TaskWords& Task::in(std::string_view language) const {
  const auto found = words.find(language);
  return found != words.end() ? found->second : words.at("en");
}

const std::vector<Task>& all_tasks() {
  static const std::vector<Task> tasks = read_tasks();
  return tasks;
}

std::optional<Task> task_named(Session& session, const std::string& name) {
  std::vector<std::string> names;
  for (const Task& task : all_tasks()) {
    if (task.name == name) return task;
    names.push_back(task.name);
  }
  const CatalogueEntry* const found = session.catalogue.only(name);
  if (found != nullptr && !shows_mistakes(found->group)) {
    if (found->full_name() != name) return task_named(session, found->full_name());
    const std::optional<Lesson> program = assemble_program(session, *found);
    if (!program) return std::nullopt;
    Task task{name, TaskKind::Write, name, "", "", {}, {}};
    task.words["en"] = {program->title, program->title + ": the program of the catalogue, in your own words.", {}};
    return task;
  }
  session.reply.fail(ExitCode::Usage, "usage", "there is no task " + in_ticks(name),
                     hint_for(nearest(name, names), "`warpsim grade` lists them"));
  return std::nullopt;
}

}  // namespace warpsim::tools
