// The verb `exec`: see exec_verb.cpp.
//
// Errors: through the Reply.
#pragma once

#include "tools/session/session.h"

namespace warpsim::tools {

void run_exec(Session&);

}  // namespace warpsim::tools
