#include "tools/cuda/driver/watchdog.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "tools/support/exit_code.h"

namespace warpsim {

Watchdog::Watchdog(unsigned seconds) : seconds_(seconds), thread_([this] { run(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Watchdog::watch(std::string what) {
  {
    const std::lock_guard lock(mutex_);
    what_ = std::move(what);
    watching_ = true;
    ++turn_;
  }
  changed_.notify_all();
}

void Watchdog::rest() {
  {
    const std::lock_guard lock(mutex_);
    watching_ = false;
    ++turn_;
  }
  changed_.notify_all();
}

void Watchdog::run() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    if (!watching_) {
      changed_.wait(lock);
      continue;
    }
    const unsigned long long turn = turn_;
    const bool in_time =
        changed_.wait_for(lock, std::chrono::seconds(seconds_), [&] { return ended_ || turn_ != turn; });
    if (in_time) continue;
    std::fprintf(stderr,
                 "warpsim: error: %s has not ended on the GPU after %u s: stopped\n"
                 "  hint: it waits for something that never comes, or needs more time: --gpu-seconds N\n",
                 what_.c_str(), seconds_);
    std::fflush(nullptr);
    std::_Exit(static_cast<int>(tools::ExitCode::Trap));
  }
}

}  // namespace warpsim
