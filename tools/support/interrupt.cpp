#include "tools/support/interrupt.h"

#include <csignal>

namespace warpsim::tools {
namespace {

std::atomic<bool> is_stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

extern "C" void request_stop(int signal) {
  is_stop_requested.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>* catch_interrupt() {
  std::signal(SIGINT, request_stop);
  return &is_stop_requested;
}

}  // namespace warpsim::tools
