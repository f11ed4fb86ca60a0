// The timing profiles that come with warpsim: sim/timing/*.json, as text inside the library.
//
// Shapes: one entry a file, in the order of their names; the texts live as long as the process.
// Units:  none.
// Errors: builtin_profile() gives nothing for a name that there is not.
// Source: CMakeLists.txt puts the files in; traces/PROFILE.md says what is in them.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "traces/profile/profile_json.h"

namespace warpsim {

struct BuiltinProfile {
  std::string_view name;  // "h200"
  std::string_view text;
};

std::span<const BuiltinProfile> builtin_profiles();
std::optional<ProfileFile> builtin_profile(std::string_view name);

}  // namespace warpsim
