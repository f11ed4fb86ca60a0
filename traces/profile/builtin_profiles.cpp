// The built-in profiles by name; see builtin_profiles.h.
#include "traces/profile/builtin_profiles.h"

#include <utility>

#include "isa/text/check.h"

namespace warpsim {

std::optional<ProfileFile> builtin_profile(std::string_view name) {
  for (const BuiltinProfile& one : builtin_profiles()) {
    if (one.name != name) continue;
    auto read = read_profile(one.text);
    WARPSIM_CHECK(std::holds_alternative<ProfileFile>(read));
    return std::get<ProfileFile>(std::move(read));
  }
  return std::nullopt;
}

}  // namespace warpsim
