// Conflicts of shared memory's banks.
//
// Shapes: `offsets` has one of each lane of the warp; those of `lanes` count.
// Units:  bytes.
// Errors: none.
// Source: CUDA programming guide, shared memory: 32 banks of 4 bytes.
#pragma once

#include <cstdint>

#include "sim/event/lane_mask.h"

namespace warpsim {

// The most that one bank must serve for one access, 1 = no conflict, 0 = nobody: different words, and lanes whose turns
// come one after another (atomics), which share no word.
struct BankWays {
  unsigned merged = 0, each = 0;
};
BankWays bank_ways(LaneMask lanes, const std::uint64_t* offsets, unsigned size_bytes);

}  // namespace warpsim
