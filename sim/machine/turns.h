// The order of turns of an untimed run, but for schedule `blocks`: (cycle, block, warp), and what a fuzzed schedule
// draws.
//
// Shapes: a queue holds the warps that can issue, by their indices in LaunchState::warps, each once.
// Units:  cycles.
// Errors: none.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
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

  bool empty() const { return near_count_ == 0 && far_.empty(); }
  std::uint32_t next() const { return is_near() ? front().warp : far_.top().warp; }
  // The warp can issue, at its `cycle`. One that is queued stays where it is.
  void add(std::uint32_t warp) {
    if (warps_[warp].queued) return;
    warps_[warp].queued = true;
    const std::uint64_t cycle = warps_[warp].cycle;
    const Turn turn{cycle, warps_[warp].order, warp};
    if (near_count_ == 0) start_at(cycle);
    if (cycle - now_ >= kNear) return far_.push(turn);  // also one before now_
    std::vector<Turn>& turns = near_[cycle % kNear];
    ++near_count_;
    if (turns.empty() || turns.back().order < turn.order) return turns.push_back(turn);
    const auto begin = turns.begin() + static_cast<std::ptrdiff_t>(cycle == now_ ? taken_ : 0);
    turns.insert(std::upper_bound(begin, turns.end(), turn, [](const Turn& x, const Turn& y) { return y < x; }), turn);
  }
  std::uint32_t take() {
    const std::uint32_t warp = next();
    if (is_near()) take_near();
    else far_.pop();
    warps_[warp].queued = false;
    return warp;
  }

 private:
  // Warps mostly come again in a few cycles, and in their order: a list a cycle takes them without a search.
  static constexpr std::uint64_t kNear = 64;
  struct Turn {
    std::uint64_t cycle, order;
    std::uint32_t warp;
    bool operator<(const Turn& other) const {  // for std::priority_queue: the earliest first
      return cycle != other.cycle ? cycle > other.cycle : order > other.order;
    }
  };

  const Turn& front() const { return near_[now_ % kNear][taken_]; }
  bool is_near() const { return near_count_ != 0 && (far_.empty() || far_.top() < front()); }
  void start_at(std::uint64_t cycle) {
    near_[now_ % kNear].clear();
    taken_ = 0;
    now_ = cycle;
  }
  void take_near() {
    ++taken_;
    if (--near_count_ == 0) return;
    if (taken_ < near_[now_ % kNear].size()) return;
    std::uint64_t cycle = now_ + 1;
    while (near_[cycle % kNear].empty()) ++cycle;
    start_at(cycle);
  }

  std::vector<Warp>& warps_;
  // Those at the cycles now_ to now_ + kNear - 1, in order; of the first list `taken_` are gone.
  std::array<std::vector<Turn>, kNear> near_;
  std::uint64_t now_ = 0;
  std::size_t taken_ = 0, near_count_ = 0;
  std::priority_queue<Turn> far_;  // all others
};

// Draws of a fuzzed schedule: one stream of random bits for a run. Any other schedule draws nothing.
class ScheduleDraws {
 public:
  explicit ScheduleDraws(const Schedule& schedule)
      : is_fuzzed_(schedule.order == Schedule::Order::Fuzz), random_(schedule.seed) {}

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
