// crosscheck --cycles --machine-code: simulated cycles of machine code beside a GPU's, of the same machine code.
//
// Errors: through the Reply.
#pragma once

#include "tools/session/session.h"

namespace warpsim::tools {

void run_machine_cycles(Session&);

}  // namespace warpsim::tools
