// What a task of predicting asks, and whether the answers are right.
//
// Shapes: an answer a lane of the first warp, in rising order, apart by blanks, commas or ends of lines; - of a lane
// that
//         the question does not ask: one that does not execute the instruction.
// Errors: through the Reply: a text that holds no such answers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/grade/task.h"

namespace warpsim::tools {

struct Answers {
  std::size_t event = 0;           // the execution that is asked about, of the run's events
  std::vector<std::string> right;  // a lane; "": not asked
};

struct Marked {
  std::vector<unsigned> wrong;  // lanes
  std::size_t asked = 0;        // how many lanes are
};

// Nothing after it has said why the run has no such step.
std::optional<Answers> answers_to(Session& session, const Task& task, const Lesson& program);
std::optional<Marked> marked(Session& session, const Answers& answers, std::string_view given);

}  // namespace warpsim::tools
