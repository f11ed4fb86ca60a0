// The runs that a task is checked with: the cases of its solution, and the same launches with inputs that nobody has
// seen.
//
// Shapes: a trial is a launch, its inputs, and what the solution makes of them. At each lane count of a case: the case
//         as it is written, then `hidden` more, then one with negative inputs alone where some case has negative ones,
//         then one with fewer elements for the same threads. An input keeps its
//         length, its type and the range of the case's values. Integers and floats are drawn in that range, floats in
//         quarters or whole numbers, so that sums are exact in any order; where the range is one value, up to its
//         double. Others, and those of programs whose inputs are a structure (a graph, a table), are put in another
//         order or stay as they are. Fewer elements: where a scalar is the length of a buffer, and the solution takes
//         it. A drawn input at which the solution traps, has a finding or leaves an output undefined is dropped for one
//         in another order, and that for none.
// Units:  elements.
// Errors: through the Reply. Nothing where a case cannot run.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "isa/program/lesson.h"
#include "sim/launch/launch.h"
#include "tools/session/session.h"

namespace warpsim::tools {

struct Trial {
  std::string case_name;
  unsigned hidden = 0;  // 0: the case's own inputs; else their number
  PreparedCase prepared;
  Dim3 block;
  std::map<std::string, Array, std::less<>> outputs;
  std::set<std::string> warnings;  // the codes of those that the solution has
  std::uint64_t cycles = 0;
};

struct TrialPlan {
  std::vector<unsigned> lanes;  // empty: as each case says
  unsigned hidden = 2;
  std::uint64_t seed = 0;
  std::shared_ptr<const TimingProfile> timing;     // of the trials; null: none
  std::shared_ptr<const TimingProfile> cycles_by;  // what a Faster is timed with
};

// With rising lane counts: what is wrong is looked at in the smallest run.
std::vector<Trial> trials_of(Session& session, const Lesson& solution, const TrialPlan& plan);

// What the solution makes of it; nothing where it should not be asked: it traps, or has a finding.
std::optional<Trial> tried(Session& session, const Lesson& solution, const PreparedCase& prepared);

}  // namespace warpsim::tools
