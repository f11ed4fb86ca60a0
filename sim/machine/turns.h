// The order of turns of an untimed run: (cycle, block, warp), and what a fuzzed schedule draws.
//
// Shapes: a queue holds the warps that can issue, by their indices in LaunchState::warps, each once.
// Units:  cycles.
// Errors: none.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "sim/launch/launch.h"
#include "sim/machine/random.h"
#include "sim/machine/warp.h"

namespace warpsim {

class TurnQueue {
 public:
  explicit TurnQueue(std::vector<Warp>& warps) : warps_(warps) {}

  bool empty() const { return queue_.empty(); }
  std::uint32_t next() const { return queue_.top(); }
  // The warp can issue, at its `cycle`. One that is queued stays where it is.
  void add(std::uint32_t warp) {
    if (warps_[warp].queued) return;
    warps_[warp].queued = true;
    queue_.push(warp);
  }
  std::uint32_t take() {
    const std::uint32_t warp = queue_.top();
    queue_.pop();
    warps_[warp].queued = false;
    return warp;
  }

 private:
  struct Later {  // for std::priority_queue: the earliest first
    const std::vector<Warp>* warps;
    bool operator()(std::uint32_t x, std::uint32_t y) const {
      const std::uint64_t cx = (*warps)[x].cycle, cy = (*warps)[y].cycle;
      return cx != cy ? cx > cy : (*warps)[x].order > (*warps)[y].order;
    }
  };

  std::vector<Warp>& warps_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, Later> queue_{Later{&warps_}};
};

// Draws of a fuzzed schedule: one stream of random bits for a run. Any other schedule draws nothing.
class ScheduleDraws {
 public:
  explicit ScheduleDraws(const Schedule& schedule) : is_fuzzed_(schedule.fuzz), random_(schedule.seed) {}

  bool is_fuzzed() const { return is_fuzzed_; }
  unsigned below(unsigned n) { return random_.below(n); }
  // Half of the warps start late.
  std::uint64_t start_delay_cycles() { return is_fuzzed_ && random_.below(2) == 0 ? random_.below(200) : 0; }
  // Mostly none; sometimes a few, so that neighbours overtake each other; rarely so many that a warp is far behind.
  std::uint64_t pause_cycles() {
    if (!is_fuzzed_) return 0;
    const unsigned what = random_.below(256);
    if (what < 224) return 0;
    return what < 254 ? 1 + random_.below(4) : 100 + random_.below(256);
  }
  // The group of the warp whose turn it is; -1 if none is ready.
  int choose_group(const Warp& warp) {
    if (!is_fuzzed_) return warp.divergence.next_ready();
    const unsigned count = warp.divergence.count_ready();
    return warp.divergence.ready(count > 1 ? random_.below(count) : 0);
  }

 private:
  bool is_fuzzed_;
  SplitMix random_;
};

}  // namespace warpsim
