// A shuffle's operand c: what CUDA's `width` means, by lane count.
//
// Shapes: c packs the segment mask in bits 8… and the clamp in bits 0…, as PTX's operand c does.
// Units:  lanes.
// Errors: none.
// Source: PTX ISA 9.0, section 9.7.9.6 "shfl.sync"; CUDA C++ Programming Guide, "Warp Shuffle Functions", for `width`.
//         64 lanes use six bits of each field and have no hardware witness.
#pragma once

#include <cstdint>

#include "isa/table/traits.h"

namespace warpsim {

// Bits of a lane number that count: 31 up to 32 lanes, 63 at 64.
constexpr unsigned lane_index_mask(unsigned lanes) { return lanes > 32 ? 63U : 31U; }

constexpr std::uint32_t shuffle_clamp(ShuffleMode mode, unsigned width, unsigned lanes) {
  const unsigned index_mask = lane_index_mask(lanes);
  return ((index_mask + 1U - width) & index_mask) << 8 | (mode == ShuffleMode::Up ? 0U : index_mask);
}

}  // namespace warpsim
