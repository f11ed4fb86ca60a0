// The manual page warpsim(1), from what the command line says of itself.
//
// Shapes: a section a verb, with its options; options that all verbs have stand in a section of their own.
// Errors: none.
// Source: groff_man(7).
#pragma once

#include <string>
#include <vector>

#include "tools/manual/verb_info.h"

namespace warpsim::tools {

std::string manual_page(const ManualText& text, const std::vector<VerbInfo>& verbs);

}  // namespace warpsim::tools
