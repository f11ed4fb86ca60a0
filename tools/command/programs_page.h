// programs/README.md: the programs, their sources, and the lane counts at which they do what they should.
//
// Shapes: Markdown, one table a group. Each verdict comes from running every case of the program at that lane count, as
//         `test` does.
// Units:  none.
// Errors: a run that is not as expected is FAIL in the table, and reported to the Reply in full.
#pragma once

#include <string>

#include "tools/command/verbs.h"

namespace warpsim::tools {

std::string programs_markdown(Session& session);

}  // namespace warpsim::tools
