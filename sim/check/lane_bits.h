// The undefined bits of one value on each lane: two masks where all is defined or all undefined, as it mostly is.
//
// Shapes: a lane is in `whole`, in `partial` with its bits beside, or in neither.
// Units:  one bit a bit; `all` has as many ones as the value is wide.
// Errors: none.
#pragma once

#include <array>
#include <cstdint>

#include "sim/event/lane_mask.h"
#include "sim/launch/launch.h"

namespace warpsim {

struct LaneBits {
  LaneMask whole = 0, partial = 0;
  std::array<std::uint64_t, kMaxLanes> bits;  // of the lanes in `partial`

  LaneMask undefined() const { return whole | partial; }
  void clear() { whole = partial = 0; }
  // Takes over the bits only where there are any.
  void assign(const LaneBits& other) {
    whole = other.whole;
    partial = other.partial;
    if (partial != 0) bits = other.bits;
  }
  std::uint64_t at(unsigned lane, std::uint64_t all) const {
    return has_lane(whole, lane) ? all : has_lane(partial, lane) ? bits[lane] & all : 0;
  }
  void set(unsigned lane, std::uint64_t undefined, std::uint64_t all) {
    whole &= ~lane_bit(lane);
    partial &= ~lane_bit(lane);
    if (undefined == all) whole |= lane_bit(lane);
    else if (undefined != 0) partial |= lane_bit(lane);
    bits[lane] = undefined;
  }
};

}  // namespace warpsim
