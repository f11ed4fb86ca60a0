// What an access to global or local memory touches, in pieces: sectors, which memory moves, or lines, which a cache
// holds.
//
// Shapes: one access of one warp.
// Units:  pieces of `piece_bytes`, aligned to them.
// Errors: none.
// Source: CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory"; CUDA C++ Programming Guide, "Local
// Memory".
#pragma once

#include <cstdint>

#include "isa/kernels/windows.h"
#include "sim/event/observer.h"

namespace warpsim {

struct PiecesTouched {
  std::uint64_t touched = 0;
  std::uint64_t least = 0;  // that could hold as many different bytes
};
PiecesTouched pieces_touched(const MemoryEvent& event, std::uint64_t piece_bytes);
// Of an access to local memory in a warp of so many lanes.
PiecesTouched local_pieces_touched(const MemoryEvent& event, std::uint64_t piece_bytes, unsigned lanes);

// Of the local memories of all warps, where a lane's byte lies on hardware: word 0 of each lane, then word 1 of each.
inline constexpr std::uint64_t kInterleavedBytes = 4;
inline std::uint64_t interleaved_address(std::uint64_t warp, unsigned lane, unsigned lanes, std::uint64_t at) {
  const std::uint64_t word = at / kInterleavedBytes * lanes + lane;
  return kLocalWindow + warp * kMostLocalBytes * lanes + word * kInterleavedBytes + at % kInterleavedBytes;
}

inline constexpr std::uint64_t kSectorBytes = 32, kLineBytes = 128;

}  // namespace warpsim
