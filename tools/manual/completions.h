// Completion scripts for the shells, from what the command line says of itself.
//
// Shapes: one function a shell; program names are asked of `warpsim list --names` when the user presses Tab.
// Errors: none.
// Source: bash's complete, zsh's _arguments, fish's complete.
#pragma once

#include <string>
#include <vector>

#include "tools/manual/verb_info.h"

namespace warpsim::tools {

std::string bash_completions(const std::vector<VerbInfo>& verbs);
std::string zsh_completions(const std::vector<VerbInfo>& verbs);
std::string fish_completions(const std::vector<VerbInfo>& verbs);

}  // namespace warpsim::tools
