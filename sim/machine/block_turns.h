// The order of turns of schedule `blocks`: one warp issues at a time, the resident ones after each other.
//
// Shapes: a bit for each warp that can issue, by its index in LaunchState::warps: by slot, then by warp of the block.
//         A turn ends where its warp has nothing ready, sleeps, or has issued kTurnIssues instructions; the next ready
//         warp behind it, cyclic, has the next one.
// Units:  issues.
// Errors: none.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/launch/launch.h"

namespace warpsim {

class BlockTurns {
 public:
  explicit BlockTurns(std::size_t warps) : ready_((warps + 63) / 64), warp_(static_cast<std::uint32_t>(warps - 1)) {}

  void add(std::uint32_t warp) { ready_[warp / 64] |= bit(warp); }
  void remove(std::uint32_t warp) { ready_[warp / 64] &= ~bit(warp); }

  std::size_t count_ready() const {
    std::size_t count = 0;
    for (const std::uint64_t word : ready_) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }

  std::uint32_t warp() const { return warp_; }  // whose turn it is, or was last
  std::uint64_t left() const { return left_; }
  void use(std::uint64_t issues) { left_ -= std::min(left_, issues); }
  void end() { left_ = 0; }
  // The next turn is that of the first ready warp behind this one.
  void continue_behind(std::uint32_t warp) { warp_ = warp; }
  // False if no warp can issue.
  bool begin_next() {
    const std::size_t first = warp_ / 64;
    // The word of the last warp comes twice: at first without the warps up to it, at the end whole.
    std::uint64_t word = ready_[first] & ~(bit(warp_) | (bit(warp_) - 1));
    for (std::size_t k = first, words = 0; words <= ready_.size(); ++words) {
      if (word != 0) {
        warp_ = static_cast<std::uint32_t>(k * 64 + static_cast<std::size_t>(std::countr_zero(word)));
        left_ = kTurnIssues;
        return true;
      }
      k = k + 1 == ready_.size() ? 0 : k + 1;
      word = ready_[k];
    }
    return false;
  }

 private:
  static std::uint64_t bit(std::uint32_t warp) { return std::uint64_t{1} << warp % 64; }

  std::vector<std::uint64_t> ready_;
  std::uint32_t warp_;
  std::uint64_t left_ = 0;
};

}  // namespace warpsim
