// See progress.h.
#include "host/exec/progress.h"

#include <unistd.h>

#include <cmath>
#include <csignal>
#include <utility>

namespace warpsim::host {
namespace {

void write_to_terminal(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string time_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 100) return std::to_string(whole) + " s";
  if (whole < 6000) return std::to_string(whole / 60) + " min";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

}  // namespace

std::string progress_text(std::string_view launch, std::uint64_t ended, std::uint64_t blocks, double seconds) {
  std::string text = "warpsim: " + std::string(launch) + ": " + std::to_string(ended) + " of " +
                     std::to_string(blocks) + (blocks == 1 ? " block" : " blocks");
  if (ended == 0) return text + ", " + time_text(seconds);
  const double rate = static_cast<double>(ended) / seconds;
  if (rate >= 1) text += ", " + std::to_string(static_cast<std::uint64_t>(rate)) + " a second";
  return text + ", " + time_text(static_cast<double>(blocks - ended) / rate) + " left";
}

Progress::Progress(std::string launch, std::uint64_t blocks, std::function<std::uint64_t()> ended)
    : launch_(std::move(launch)), blocks_(blocks), ended_(std::move(ended)) {
  if (::isatty(STDERR_FILENO) == 0) return;
  // Signals are the program's, and come to its own threads.
  sigset_t all, before;
  ::sigfillset(&all);
  if (::pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return;
  thread_ = std::thread([this] { show(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  end_.notify_one();
  thread_.join();
}

void Progress::show() {
  const auto begun = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  bool is_shown = false;
  for (auto wait = kSilent; !end_.wait_for(lock, wait, [this] { return has_ended_; }); wait = kBetween) {
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - begun;
    write_to_terminal("\0337\033[?7l" + progress_text(launch_, ended_(), blocks_, gone.count()) +
                      "\033[K\033[?7h\0338");
    is_shown = true;
  }
  if (is_shown) write_to_terminal("\033[K");
}

}  // namespace warpsim::host
