// Where the registers of one warp live.
//
// Shapes: one block of bytes a warp, 64-byte aligned, structure of arrays: a 32-bit register is storage_width × 4 bytes
//         (one value a lane, lane 0 first), a 64-bit one storage_width × 8, a predicate one LaneMask. A 16-bit register
//         lives zero-extended in a 32-bit one; a `.mask` register is 32-bit up to 32 lanes and 64-bit at 64. Constants
//         and special registers follow the program's registers, so that an operand is always just an offset.
// Units:  offsets in bytes from the start of the block.
// Errors: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "sim/event/lane_mask.h"

namespace warpsim {

// Lane loops are compiled for these two trip counts only; with fewer lanes the upper ones never exist in a mask.
constexpr unsigned storage_width(unsigned lanes) { return lanes > 32 ? 64U : 32U; }

inline constexpr std::uint32_t kNoOffset = 0xffffffffU;

// Reads and writes through the block regardless of what type wrote it last.
template <class T>
struct MayAlias {
  typedef T type __attribute__((may_alias));
};
template <class T>
using Aliased = typename MayAlias<T>::type;

template <class T>
Aliased<T>* row(std::byte* block, std::uint32_t offset) {
  return static_cast<Aliased<T>*>(__builtin_assume_aligned(block + offset, 64));
}
template <class T>
const Aliased<T>* row(const std::byte* block, std::uint32_t offset) {
  return static_cast<const Aliased<T>*>(__builtin_assume_aligned(block + offset, 64));
}
inline Aliased<LaneMask>& word(std::byte* block, std::uint32_t offset) {
  return *reinterpret_cast<Aliased<LaneMask>*>(block + offset);
}
inline LaneMask word(const std::byte* block, std::uint32_t offset) {
  return *reinterpret_cast<const Aliased<LaneMask>*>(block + offset);
}

}  // namespace warpsim
