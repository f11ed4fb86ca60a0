// How long a program and its twins take by every profile, side by side, and on the H200.
//
// Shapes: a table of a comparison, or a line for each of its sides.
// Units:  cycles, of the whole run; and of the part of it that was measured on the H200, if that was: between its loads
//         from global memory and its stores to it, in the case `test`. The part ends when its last instruction has
//         issued. It counts as crosscheck --cycles scores it: if it is long enough and its machine code the program's.
// Errors: none; a side that traps by a profile has no number there.
#pragma once

#include <optional>
#include <string>

#include "tools/command/versus_compare.h"

namespace warpsim::tools {

// A, B …: what a side is called in a table.
std::string letter(std::size_t side);
// The sides, and the case that they run.
std::string heading(const Comparison& comparison);

// The built-in profile that says how long machine code takes.
std::optional<ChosenProfile> profile_of_code();
// A line for each side whose machine code was to be timed, and was not.
std::string untimed_text(const Comparison& comparison);

std::string profiles_text(const Comparison& comparison);
std::string profiles_short_head();
std::string profiles_short_note();  // what its columns are
std::string profiles_short_text(const Comparison& comparison);
// {"lockstep": 9, "documents": [41, 81], "h200": 93, "measured_part": {"lockstep": 5, …, "H200": 51}}, or
// {…, "measured_part": null, "not_comparable": "too short to be compared: 4 cycles"}; null alone if none was measured.
std::string profiles_json(const Side& side);

}  // namespace warpsim::tools
