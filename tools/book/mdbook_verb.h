// The verb `mdbook`: see mdbook_verb.cpp.
//
// Errors: through the Reply.
#pragma once

#include "tools/session/session.h"

namespace warpsim::tools {

void run_mdbook(Session&);

}  // namespace warpsim::tools
