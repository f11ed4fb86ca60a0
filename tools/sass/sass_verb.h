// The verb `sass`: see sass_verb.cpp.
//
// Errors: through the Reply.
#pragma once

#include "tools/session/session.h"

namespace warpsim::tools {

void run_sass(Session&);

}  // namespace warpsim::tools
