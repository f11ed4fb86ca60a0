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
// come one after another (atomics), which share no word. Of 64 and 128 bits that is counted for two and four parts of
// the lanes, and `most` says how many different ones a bank of that width has for all lanes together.
struct BankWays {
  unsigned merged = 0, each = 0, most = 0;
};
BankWays bank_ways(LaneMask lanes, const std::uint64_t* offsets, unsigned size_bytes);

// Whether all name what the other one of two lanes names, or all what the next but one of four does: an access of 64 or
// 128 bits is then served in half as many parts (docs/machine_code.md).
bool are_alike_in_pairs(LaneMask lanes, const std::uint64_t* offsets);

}  // namespace warpsim
