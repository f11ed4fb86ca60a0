// The verb `grade`: see grade_verb.cpp.
//
// Errors: through the Reply.
#pragma once

#include "tools/session/session.h"

namespace warpsim::tools {

void run_grade(Session&);

}  // namespace warpsim::tools
