// What a machine remembers of its own past, to notice that it loops for ever.
//
// Shapes: one warp's state is kept, of the moment before it issues; at cycles 256, 512, 1024 … it is replaced, with
// more
//         than a few KiB of state in the launch from a later one on, 1024 at most. Once it comes again, the whole state
//         of that moment is kept, and that is what has to come again: the warp of a run that ends mostly never does,
//         so that it costs next to nothing. A run that repeats every `p` cycles and began to by cycle `c` is found by
//         cycle 2 · max(c, 2p) + 2p at the latest.
//         With schedule `blocks` it is the moment before a warp's turn, also where nobody watches: there are few turns,
//         so that asking costs little.
// Units:  cycles; those of warps count from the moment that is kept.
// Errors: none; a launch with more state than kMostStateBytes is not watched: only its cycle limit ends it.
// Source: Brent, "An Improved Monte Carlo Factorization Algorithm" (BIT 1980), section 3: finding a cycle with one
//         state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/event/observer.h"
#include "sim/machine/divergence.h"
#include "sim/machine/launch_state.h"

namespace warpsim {

inline constexpr std::uint64_t kFirstStateCycle = 256, kFirstStateCycleOfMuch = 1024;
// A state is kept only once the run has taken as long as a copy of all of it does: with schedule `blocks` however long
// that is, else up to kFirstStateCycleOfMuch.
inline constexpr std::size_t kStateBytesAnIssue = 32;
inline constexpr std::size_t kMostStateBytes = std::size_t{16} << 20;

class LivelockWatch {
 public:
  explicit LivelockWatch(const LaunchState& state);

  bool is_on() const { return is_on_; }
  // True if the whole state that is kept comes again before this warp issues.
  bool repeats(std::uint32_t warp);
  // Forgets the state; the next one is kept at this cycle.
  void restart(std::uint64_t cycle) {
    forget();
    next_cycle_ = cycle;
  }
  // Forgets the state: a block has begun since.
  void forget() { kept_ = Kept::Nothing; }
  std::uint64_t kept_cycle() const { return cycle_; }
  // When the next state is kept, at the earliest.
  std::uint64_t next_kept() const { return is_on_ ? next_cycle_ : ~std::uint64_t{0}; }

 private:
  struct WarpState {
    LaneMask alive = 0;
    std::uint64_t ahead = 0;  // cycles until its next issue; 0 also for one that waits
    std::vector<Group> groups;
    std::vector<Frame> frames;
    LocalMemory local;
    std::vector<std::byte> registers;  // empty: it has none
  };

  template <class F>
  void for_each_writable(F f) const;  // allocation
  WarpState state_of(const Warp& warp, std::uint64_t now) const;
  void keep_warp(std::uint32_t warp);
  void keep_all();
  std::span<const std::byte> registers_of(const Warp& warp) const;
  bool is_as_kept(std::uint32_t warp, std::uint64_t now) const;
  bool all_is_as_kept(std::uint32_t warp);

  const LaunchState& state_;
  bool is_on_ = false;
  std::uint64_t next_cycle_ = 0;  // when a state is kept next
  // The one that is kept.
  enum class Kept : std::uint8_t { Nothing, Warp, All } kept_ = Kept::Nothing;
  std::uint64_t cycle_ = 0;
  std::uint32_t warp_ = 0;  // that issues next
  std::vector<WarpState> warps_;
  std::vector<LineVector<std::byte>> shared_;    // by slot
  std::vector<std::vector<std::byte>> buffers_;  // by allocation, those that can change
  std::uint32_t differed_ = 0;                   // the warp that last made the difference: the first to ask
};

// The lines between which a warp's lanes loop; 0: the lane stands still, or is not there.
struct LoopLines {
  std::int32_t first[kMaxLanes] = {}, last[kMaxLanes] = {};  // pcs, of the first and the last line
  LaneMask lanes = 0;                                        // that loop
  bool reads_memory = false;                                 // on the way
};

// Watches one round of a run that loops for ever: which lanes pass which lines.
class LoopRound : public EventSink {
 public:
  explicit LoopRound(const LaunchState& state) : state_(state) {}

  void on_issue(const IssueEvent& event) override;
  void forget(const Warp& warp) { lines_.erase(state_.number_of(warp)); }
  // Of a warp of a resident block.
  LoopLines lines(std::uint32_t block, std::uint32_t warp) const {
    const auto seen = lines_.find(state_.number_of(*state_.find(block, warp)));
    return seen == lines_.end() ? LoopLines{} : seen->second;
  }

 private:
  const LaunchState& state_;
  std::unordered_map<std::uint32_t, LoopLines> lines_;  // of the warps that have issued
};

// The run loops for ever, as `what` says, before `warp` issues: says so, and where each lane loops.
void trap_livelock(LaunchState& state, const Warp& warp, Message what, const LoopRound& round);

}  // namespace warpsim
