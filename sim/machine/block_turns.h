// The order of turns of schedule `blocks`: one warp issues at a time, and a block goes on for as long as it gets on.
//
// Shapes: a bit for each warp that can issue, by its index in LaunchState::warps: by slot, then by warp of the block.
//         A turn ends where its warp has nothing ready, sleeps, or has issued kTurnIssues instructions. The ready warps
//         of a block have theirs one after the other: a round. Another round of the same block follows while some turn
//         of the last one ended with nothing ready, for kBlockRounds at most. So a block mostly ends before the next
//         one begins, what it uses stays in the host's caches, and who spins gives way. Then the next block of the grid
//         begins; where all have begun, or the device holds no more at once, the next resident block that has a ready
//         warp goes on, cyclic by slot.
// Units:  issues.
// Errors: none.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/launch/launch.h"

namespace warpsim {

class BlockTurns {
 public:
  // For so many warps at once. The first turn is of the block in the first slot.
  BlockTurns(std::size_t warps, std::uint32_t warps_a_block)
      : ready_((warps + 63) / 64), warps_a_block_(warps_a_block) {}

  void add(std::uint32_t warp) { ready_[warp / 64] |= bit(warp); }
  void remove(std::uint32_t warp) { ready_[warp / 64] &= ~bit(warp); }

  std::size_t count_ready() const {
    std::size_t count = 0;
    for (const std::uint64_t word : ready_) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }

  // f(warp) for all of them, from the one on whose turn it is, as they have theirs if no block begins or ends.
  template <class F>
  void for_each_ready(F&& f) const {
    const auto in = [&](std::uint32_t from, std::uint32_t end) {
      for (std::optional<std::uint32_t> next = first_ready(from, end); next; next = first_ready(*next + 1, end))
        f(*next);
    };
    in(warp_, static_cast<std::uint32_t>(ready_.size() * 64));
    in(0, warp_);
  }

  std::uint32_t warp() const { return warp_; }  // whose turn it is, or was last
  std::uint64_t left() const { return left_; }
  void use(std::uint64_t issues) { left_ -= std::min(left_, issues); }
  // How many rounds of the block have ended, and whether a turn of this one has with nothing ready.
  std::uint32_t rounds() const { return rounds_; }
  bool gets_on() const { return gets_on_; }
  // Other turns of the block have passed; this warp's goes on.
  void go_on(std::uint32_t warp, std::uint64_t left, std::uint32_t rounds, bool gets_on) {
    warp_ = warp;
    next_ = warp + 1;
    left_ = left;
    rounds_ = rounds;
    gets_on_ = gets_on;
    is_cut_short_ = true;
  }
  // All warps have had whole turns, up to this one's.
  void pass_whole_turns() { follows_cut_turn_ = true; }
  void end_asleep() { left_ = 0; }
  void end_with_nothing_ready() {
    left_ = 0;
    gets_on_ = true;
    is_cut_short_ = false;
  }
  // The warp's block has ended.
  void end_block() {
    next_ = end_of_block();
    gets_on_ = false;
    left_ = 0;
  }
  // Whether the turn before this one ended with something ready, as all do of who spins.
  bool follows_cut_turn() const { return follows_cut_turn_; }
  // Whether a block goes on with this turn behind another's, or behind all its rounds: what is left to it is then
  // always the same.
  bool begins_block() const { return begins_block_; }
  // The next warp of a block that has begun; but where another block's turn would be, and is_room() says that one can
  // begin, a new block.
  enum class Next : std::uint8_t { Warp, NewBlock, Nobody };
  template <class F>
  Next begin_next(F&& is_room) {
    const std::uint32_t end = end_of_block();
    std::optional<std::uint32_t> next = first_ready(next_, end);
    if (!next && gets_on_ && ++rounds_ < kBlockRounds) {
      gets_on_ = false;
      next = first_ready(end - warps_a_block_, end);
    }
    begins_block_ = !next;
    if (begins_block_) {
      gets_on_ = false;
      rounds_ = 0;
      if (is_room()) return Next::NewBlock;
      next = first_ready(end, static_cast<std::uint32_t>(ready_.size() * 64));
      if (!next) next = first_ready(0, end);
    }
    if (!next) return Next::Nobody;
    begin(*next);
    return Next::Warp;
  }
  void begin(std::uint32_t warp) {
    warp_ = warp;
    next_ = warp + 1;
    left_ = kTurnIssues;
    follows_cut_turn_ = std::exchange(is_cut_short_, true);
  }

 private:
  static std::uint64_t bit(std::uint32_t warp) { return std::uint64_t{1} << warp % 64; }
  std::uint32_t end_of_block() const { return warp_ - warp_ % warps_a_block_ + warps_a_block_; }

  // Of the warps from one on and before another.
  std::optional<std::uint32_t> first_ready(std::uint32_t from, std::uint32_t end) const {
    while (from < end) {
      const std::uint64_t word = ready_[from / 64] >> from % 64;
      if (word != 0) {
        from += static_cast<std::uint32_t>(std::countr_zero(word));
        return from < end ? std::optional(from) : std::nullopt;
      }
      from = (from / 64 + 1) * 64;
    }
    return std::nullopt;
  }

  std::vector<std::uint64_t> ready_;
  std::uint32_t warps_a_block_;
  std::uint32_t warp_ = 0, next_ = 0;  // next_: from which on another one of the block has its turn
  std::uint64_t left_ = 0;
  std::uint32_t rounds_ = 0;  // of the block, those that have ended
  bool gets_on_ = false;      // a turn of this round ended with nothing ready
  bool begins_block_ = false;
  bool is_cut_short_ = false, follows_cut_turn_ = false;
};

}  // namespace warpsim
