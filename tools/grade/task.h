// What a learner is asked to do.
//
// Shapes: programs/tasks.json has the tasks in the order of the lessons; its head is here. Every other program of the
//         catalogue is a task, too: to write it.
//           name      of a program to write the program's own, p26/butterfly_parallel_max; else KIND/NAME
//           program   the solution, a program of the catalogue
//           start     the program to begin with, of a Fix and a Faster
//           missing   the line that is taken out, of a Complete: as it stands in the program, without its blanks
// Errors: the table's are programming errors; through the Reply where a name is no task.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/program/lesson.h"
#include "tools/session/session.h"

namespace warpsim::tools {

enum class TaskKind { Predict, Complete, Fix, Write, Faster };
std::string_view name(TaskKind kind);  // "predict"

struct TaskWords {
  std::string title, text;
  std::vector<std::string> hints;  // a direction, the idea, nearly the line
};

// What a Predict asks: of each lane, at one execution of an instruction by the first warp.
struct Question {
  unsigned lanes = 8;
  std::string case_name, phase, instruction;  // the instruction's line, without its blanks; the phase's id or title
  unsigned time = 0;                          // which execution of it in that phase, from 0
  std::string reg;                            // the value that it holds afterwards; "": from which lane it receives
};

struct Task {
  std::string name;
  TaskKind kind = TaskKind::Write;
  std::string program, start, missing;
  std::optional<Question> question;
  std::map<std::string, TaskWords, std::less<>> words;  // by language: "en", "ko"
  const TaskWords& in(std::string_view language) const;
};

const std::vector<Task>& all_tasks();
// Nothing after it has said that there is no such task.
std::optional<Task> task_named(Session& session, const std::string& name);

// The lesson's text to begin with, the task above it as a comment. Nothing after it has said why there is none.
std::optional<std::string> start_of(Session& session, const Task& task);

}  // namespace warpsim::tools
