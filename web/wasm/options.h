// The options of a request; see call.h.
//
// Shapes: the names are those of the command line, without the hyphens.
// Errors: a sentence: an option that no verb has here, or one of another kind.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tools/session/options.h"

namespace warpsim::web {

// "" or what is wrong. `options` is an object, or null.
std::string read_options(const nlohmann::ordered_json& options, tools::Options& into);

}  // namespace warpsim::web
