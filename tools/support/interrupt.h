// Ctrl-C ends a long run with a report, a second one the command.
//
// Errors: none.
#pragma once

#include <atomic>

namespace warpsim::tools {

// From now on SIGINT sets this, once; the next SIGINT ends the process as ever.
const std::atomic<bool>* catch_interrupt();

}  // namespace warpsim::tools
