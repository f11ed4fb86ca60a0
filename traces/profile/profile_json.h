// Timing profiles as JSON text: reading, with every fault named at its place, and writing.
//
// Shapes: a file is one profile, or two bounds of one: where it says `[low, high]` for a number of cycles, the low
//         bound has the one and the high bound the other. What is read fits every instruction of the table, and every
//         way around a loop takes time in it.
// Units:  cycles and bytes, as sim/timing/profile.h.
// Errors: JsonError (json_values.h) with the line of the place: J001 … J006, J010, J011, J016, and J007 no profile,
//         J008 version. Nothing throws.
// Source: traces/PROFILE.md and profile.schema.json.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/timing/profile.h"
#include "traces/io/json_values.h"

namespace warpsim {

// Where numbers come from. What is not known is "".
struct Provenance {
  std::string what, source;  // never empty
  std::string device, driver, date, command;
};

struct ProfileFile {
  std::string name, title;  // "documents", without the bound
  std::vector<Provenance> provenance;
  std::vector<TimingProfile> bounds;  // one, called as the file is, or NAME:low and NAME:high
};

[[nodiscard]] std::variant<ProfileFile, JsonError> read_profile(std::string_view text);
// The same bytes for the same profile, a class a line; read_profile() gives it back.
std::string write_profile(const ProfileFile& file);

}  // namespace warpsim
