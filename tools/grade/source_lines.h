// Lines of a program's text, as tasks name them.
//
// Errors: none.
#pragma once

#include <string_view>

#include "tools/session/session.h"

namespace warpsim::tools {

// The line without its label, its comment and the blanks around it: "max.f32 %a, %a, %b".
std::string_view instruction_in(std::string_view line);
// nullptr if the catalogue has no such program (--programs names another folder).
const CatalogueEntry* entry_named(Session& session, std::string_view full_name);

}  // namespace warpsim::tools
