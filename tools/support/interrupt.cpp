#include "tools/support/interrupt.h"

#include <csignal>
#include <ctime>

namespace warpsim::tools {
namespace {

std::atomic<bool> is_stop_requested{false};
std::atomic<std::int64_t> first_ns{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free,
              "a signal handler writes them");

std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);  // a signal handler may call it
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

extern "C" void request_stop(int signal) {
  if (!is_stop_requested.load(std::memory_order_acquire)) {
    first_ns.store(now_ns(), std::memory_order_relaxed);
    is_stop_requested.store(true, std::memory_order_release);
  } else if (now_ns() - first_ns.load(std::memory_order_relaxed) > kOneInterruptNs) {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
}

}  // namespace

const std::atomic<bool>* catch_interrupt() {
  std::signal(SIGINT, request_stop);
  return &is_stop_requested;
}

}  // namespace warpsim::tools
