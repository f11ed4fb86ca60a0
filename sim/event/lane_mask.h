// Sets of lanes: one bit a lane, lane 0 in bit 0.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "isa/text/message.h"

namespace warpsim {

using LaneMask = std::uint64_t;

constexpr LaneMask lane_bit(unsigned lane) { return LaneMask{1} << lane; }
constexpr LaneMask full_mask(unsigned lanes) { return lanes >= 64 ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1; }
constexpr bool has_lane(LaneMask mask, unsigned lane) { return (mask >> lane & 1) != 0; }
// Mostly these are the first lanes: a host without an instruction for it counts other bits slowly.
constexpr unsigned count_lanes(LaneMask mask) {
  return static_cast<unsigned>((mask & (mask + 1)) == 0 ? std::bit_width(mask) : std::popcount(mask));
}
constexpr unsigned first_lane(LaneMask mask) { return static_cast<unsigned>(std::countr_zero(mask)); }

// Calls f(lane) for each lane of the mask, in rising order.
template <class F>
constexpr void for_each_lane(LaneMask mask, F&& f) {
  for (; mask != 0; mask &= mask - 1) f(first_lane(mask));
}

// As for_each_lane, for what runs often: where these are the first lanes, mostly all, they are counted through instead
// of searched for.
template <class F>
constexpr void for_lanes(LaneMask mask, F&& f) {
  if ((mask & (mask + 1)) != 0) return for_each_lane(mask, f);
  const unsigned count = static_cast<unsigned>(std::bit_width(mask));
  for (unsigned lane = 0; lane < count; ++lane) f(lane);
}

// Of a selection: lanes that choose its first operand, and lanes that choose the second one.
struct ChoiceLanes {
  LaneMask first = 0, second = 0;
  bool operator==(const ChoiceLanes&) const = default;
  // Of these lanes, where those choose the first operand whose bits are set.
  constexpr LaneMask among(LaneMask lanes, LaneMask bits) const { return ((bits & first) | (~bits & second)) & lanes; }
};

std::string lane_ranges(LaneMask mask);                    // "0-3, 7, 16-31"; "none"
Message lane_named(unsigned lane);                         // "lane 3"
Message lanes_named(LaneMask mask);                        // "lane 3", "lanes 0-3, 7"
std::string lanes_in_words(LaneMask mask);                 // the same in English
std::string lane_mask_hex(LaneMask mask, unsigned lanes);  // "0x0000ffff"; 16 digits at 64 lanes

}  // namespace warpsim
