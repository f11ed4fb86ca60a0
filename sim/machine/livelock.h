// What a machine remembers of its own past, to notice that it goes round for ever.
//
// Shapes: one state is kept, of the moment before one warp issues; at cycles 1024, 2048, 4096 … it is replaced. A run
//         that is `p` cycles round and began to be so by cycle `c` is found by cycle 2 · max(c, p) + p at the latest.
// Units:  cycles; those of warps count from the moment that is kept.
// Errors: none; a launch with more state than kMostStateBytes is not watched: it ends at the cycle limit.
// Source: Brent, "An Improved Monte Carlo Factorization Algorithm" (BIT 1980), section 3: finding a cycle with one
// state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/machine/divergence.h"

namespace warpsim {

inline constexpr std::uint64_t kFirstStateCycle = 1024;
inline constexpr std::size_t kMostStateBytes = std::size_t{16} << 20;

struct LivelockWatch {
  struct WarpState {
    LaneMask alive = 0;
    std::uint64_t ahead = 0;  // cycles until its next issue; 0 also for one that waits
    std::vector<Group> groups;
    std::vector<Frame> frames;
    friend bool operator==(const WarpState&, const WarpState&) = default;
  };

  bool is_on = false;
  std::uint64_t next_cycle = kFirstStateCycle;  // when a state is kept next
  // The one that is kept.
  bool has_state = false;
  std::uint64_t cycle = 0;
  std::uint32_t warp = 0;  // that issues next
  std::vector<WarpState> warps;
  std::vector<std::byte> registers;             // of all warps
  std::vector<std::vector<std::byte>> shared;   // by block
  std::vector<std::vector<std::byte>> buffers;  // by buffer, those that can change
  std::uint32_t differed = 0;                   // the warp that last made the difference: the first to ask
};

// The lines between which a lane goes round; 0: it stands still, or is not there.
struct LinesGoneRound {
  std::uint32_t first[kMaxLanes] = {}, last[kMaxLanes] = {};
  LaneMask lanes = 0;         // that go round
  bool reads_memory = false;  // on the way
};

}  // namespace warpsim
