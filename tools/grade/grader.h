// Whether a program does what a task asks, and where it first does not.
//
// Shapes: the program's outputs are compared with the solution's, bit for bit, in every trial; each run is checked, and
//         a trap, an error, or a warning that the solution has not, is as wrong as another output. The feedback is of
//         the first trial that is wrong, in rising lane counts: which lane, which inputs never reached it
//         (traces/explain), and how to see it. A Faster also takes no more cycles than the solution, over the cases'
//         own inputs, by the plan's profile.
// Units:  cycles of the profile.
// Errors: through the Reply: what does not load, and parameters that are not the task's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/grade/task.h"
#include "tools/grade/trials.h"
#include "traces/model/trace.h"

namespace warpsim::tools {

struct GradedRun {
  enum class Status { Right, Wrong, Finding, Trap };
  std::string name, case_name;  // "test at 8 lanes, hidden 1"; "test"
  unsigned lanes = 0, hidden = 0;
  Status status = Status::Right;
};

struct Feedback {
  GradedRun run;
  TraceFinding finding;       // without its hint: that would be the solution
  std::string drawn;          // as people read it
  bool same_as_seen = false;  // the outputs are those of the case's own inputs, though these are others
  std::vector<std::pair<std::string, std::string>> inputs, params;  // by name, as --input and --param take them
  Dim3 grid, block;
};

struct Verdict {
  std::vector<GradedRun> runs;
  std::optional<Feedback> feedback;  // nothing where every run is right
  std::optional<std::uint64_t> cycles, solution_cycles;
  bool is_fast() const { return !cycles || *cycles <= *solution_cycles; }
  bool solved() const { return !runs.empty() && !feedback && is_fast(); }
  std::size_t wrong() const;
};

// Nothing after it has said what stands in the way.
std::optional<Verdict> graded(Session& session, const Task& task, const Lesson& solution, const Lesson& program,
                              const TrialPlan& plan);

}  // namespace warpsim::tools
