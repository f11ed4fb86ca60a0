// What an access to global memory touches, in pieces: sectors, which memory moves, or lines, which a cache holds.
//
// Shapes: one access of one warp.
// Units:  pieces of `piece_bytes`, aligned to them.
// Errors: none.
// Source: CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory".
#pragma once

#include <cstdint>

#include "sim/event/observer.h"

namespace warpsim {

struct PiecesTouched {
  std::uint64_t touched = 0;
  std::uint64_t least = 0;  // that could hold as many different bytes
};
PiecesTouched pieces_touched(const MemoryEvent& event, std::uint64_t piece_bytes);

inline constexpr std::uint64_t kSectorBytes = 32, kLineBytes = 128;

}  // namespace warpsim
