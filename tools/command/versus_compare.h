// Runs of programs that compute the same by different means, and whether they agree.
//
// Shapes: the first program of a comparison runs a case of its own; the others run the same launch: its lanes, grid and
//         block, and of its parameters and inputs those that they have too. What they have beyond is from their own
//         case of that name. Outputs of the same name are compared bit for bit.
// Units:  those of sim/statistics/counts.h; cycles of the profile that the command line chooses, of each of its bounds.
// Errors: through the Reply; outputs that differ are a mismatch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/statistics/counts.h"
#include "tools/session/loading.h"
#include "tools/support/profiles.h"

namespace warpsim::tools {

// Of the machine code that ptxas makes of a program, on the same launch.
struct CodeCycles {
  std::vector<std::uint64_t> cycles;  // one of each bound; empty: it is not timed
  std::uint64_t instructions = 0;     // of its warps
  std::string why_not;
};

struct Side {
  Lesson program;
  PreparedCase prepared;
  Trace trace;
  Counts counts;
  RegisterCounts registers;
  std::vector<std::uint64_t> cycles;  // one of each bound
  std::optional<CodeCycles> code;     // if it was asked for
};

struct Agreement {
  std::vector<std::string> outputs;      // of the same name in both
  std::vector<std::string> differences;  // sentences
  bool agrees() const { return differences.empty() && !outputs.empty(); }
};

struct Comparison {
  std::vector<Side> sides;
  std::vector<Agreement> agreements;  // of sides[1], sides[2] … with sides[0]
};

// With a profile for machine code, the sides' code is timed by it as well; that it cannot be is no fault.
std::optional<Comparison> compare(Session& session, const std::string& first, std::vector<Lesson> others,
                                  const ChosenProfile* for_code);
// How long a side takes by a profile, by each of its bounds; empty if it traps.
std::vector<std::uint64_t> cycles_under(const Side& side, const ChosenProfile& profile);

}  // namespace warpsim::tools
