// WARPSIM_CHECK: for mistakes in our own code, never for user input.
#pragma once

namespace warpsim {
// Prints the failed condition and its place to stderr and aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}  // namespace warpsim

#define WARPSIM_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::warpsim::check_failed(#condition, __FILE__, __LINE__))
