// The blocks of one launch that several threads of the host run: each takes some of those that have not begun.
//
// Shapes: blocks [0, blocks) of the grid, given out in rising order, a few at a time.
// Units:  blocks.
// Errors: none. Where a block stops the launch, none behind it begins any more; those before it still run to their
//         ends, so that which block is said to have stopped it does not depend on the threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

namespace warpsim {

class BlockPool {
 public:
  BlockPool(std::uint64_t first, std::uint64_t blocks, unsigned threads)
      : next_(first),
        blocks_(blocks),
        at_once_(std::max<std::uint64_t>(1, (blocks - first) / (std::uint64_t{threads} * kPieces))) {}

  // [first, end): empty if there are none.
  std::pair<std::uint64_t, std::uint64_t> take() {
    const std::uint64_t first = next_.fetch_add(at_once_, std::memory_order_relaxed);
    const std::uint64_t end = std::min(stopped_.load(std::memory_order_relaxed), blocks_);
    return first < end ? std::pair(first, std::min(first + at_once_, blocks_)) : std::pair(end, end);
  }
  void stop_behind(std::uint64_t block) {
    std::uint64_t known = stopped_.load(std::memory_order_relaxed);
    while (block < known && !stopped_.compare_exchange_weak(known, block, std::memory_order_relaxed)) {
    }
  }

  // A thread begins and ends its part.
  void begin() { change(1); }
  void end() { change(-1); }
  // Returns once all other threads have ended, or wait here too.
  void wait_for_others() {
    std::unique_lock lock(mutex_);
    --running_;
    idle_.notify_all();
    idle_.wait(lock, [this] { return running_ == 0; });
  }
  int running() {
    const std::lock_guard lock(mutex_);
    return running_;
  }

 private:
  static constexpr std::uint64_t kPieces = 16;  // a thread: those that end early take from what is left

  void change(int by) {
    const std::lock_guard lock(mutex_);
    running_ += by;
    idle_.notify_all();
  }

  std::atomic<std::uint64_t> next_;
  std::atomic<std::uint64_t> stopped_{~std::uint64_t{0}};
  std::uint64_t blocks_, at_once_;
  std::mutex mutex_;
  std::condition_variable idle_;
  int running_ = 0;
};

}  // namespace warpsim
