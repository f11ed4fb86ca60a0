// Sets of lanes: one bit a lane, lane 0 in bit 0.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace warpsim {

using LaneMask = std::uint64_t;

constexpr LaneMask lane_bit(unsigned lane) { return LaneMask{1} << lane; }
constexpr LaneMask full_mask(unsigned lanes) { return lanes >= 64 ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1; }
constexpr bool has_lane(LaneMask mask, unsigned lane) { return (mask >> lane & 1) != 0; }
constexpr unsigned count_lanes(LaneMask mask) { return static_cast<unsigned>(std::popcount(mask)); }
constexpr unsigned first_lane(LaneMask mask) { return static_cast<unsigned>(std::countr_zero(mask)); }

// Calls f(lane) for each lane of the mask, in rising order.
template <class F>
constexpr void for_each_lane(LaneMask mask, F&& f) {
  for (; mask != 0; mask &= mask - 1) f(first_lane(mask));
}

std::string lane_ranges(LaneMask mask);                    // "0-3, 7, 16-31"; "none"
std::string lanes_in_words(LaneMask mask);                 // "lane 3", "lanes 0-3, 7"
std::string lane_mask_hex(LaneMask mask, unsigned lanes);  // "0x0000ffff"; 16 digits at 64 lanes

}  // namespace warpsim
