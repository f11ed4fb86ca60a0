// Ctrl-C ends a long run with a report, a second one the command.
//
// Errors: none.
#pragma once

#include <atomic>
#include <cstdint>

namespace warpsim::tools {

// `timeout -s INT` and other wrappers send the signal to the process and to its group: what follows so soon is the
// same.
inline constexpr std::int64_t kOneInterruptNs = 250'000'000;

// From now on SIGINT sets this; a second SIGINT ends the process as ever.
const std::atomic<bool>* catch_interrupt();

}  // namespace warpsim::tools
