// The programs under programs/, their Korean and the tasks about them, as text inside the binary.
//
// Shapes: one entry a file programs/GROUP/NAME.warp, in the order of GROUP/NAME. The texts live as long as the process.
// Units:  none.
// Errors: none; whether a text is a valid program is the assembler's business.
// Source: embed.cmake writes all of it from the files at build time.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpsim {

struct EmbeddedProgram {
  std::string_view group;  // "p26"
  std::string_view name;   // "butterfly_parallel_max"
  std::string_view text;
};

std::span<const EmbeddedProgram> embedded_programs();

// The groups in the order in which to learn them, the mistakes last.
struct ProgramGroup {
  std::string_view name;   // "p26"
  std::string_view title;  // what its programs are about
};
inline constexpr ProgramGroup kProgramGroups[] = {
    {"p25", "Mojo GPU Puzzle 25: shuffles to the next lane, and broadcasts"},
    {"p26", "Mojo GPU Puzzle 26: butterflies, a prefix sum, a partition"},
    {"shuffle", "Shuffles: each kind, each type, their edges"},
    {"reduce", "Reductions: one value from all lanes"},
    {"scan", "Scans: each lane's value from those before it"},
    {"permute", "Permutations, stencils, sorts and transforms"},
    {"coord", "Coordination: votes, matches, compaction, atomics"},
    {"graph", "Graphs"},
    {"block", "Blocks of several warps"},
    {"twin", "Twins: the same work without shuffles, in shared or global memory"},
    {"bugs", "Mistakes, each beside its fix"},
};

// The group of mistakes, each beside its fix: programs to learn from what is found in them. They are no patterns to
// draw, to translate or to compare with a GPU, where some of them would hang.
constexpr bool shows_mistakes(std::string_view group) { return group == "bugs"; }

// ko.json: the Korean of their titles and diagrams, a JSON object from the English text.
std::string_view embedded_korean();

// tasks.json: what learners are asked to do; tools/grade/task.h says what a row has.
std::string embedded_tasks();

}  // namespace warpsim
