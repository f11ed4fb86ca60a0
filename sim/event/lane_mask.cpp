#include "sim/event/lane_mask.h"

namespace warpsim {

std::string lane_ranges(LaneMask mask) {
  if (mask == 0) return "none";
  std::string text;
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!has_lane(mask, lane)) continue;
    unsigned last = lane;
    while (last < 63 && has_lane(mask, last + 1)) ++last;
    if (!text.empty()) text += ", ";
    text += std::to_string(lane);
    if (last > lane) text += (last == lane + 1 ? ", " : "-") + std::to_string(last);
    lane = last;
  }
  return text;
}

Message lane_named(unsigned lane) { return {MessageId::LaneNumber, {lane}}; }

Message lanes_named(LaneMask mask) {
  return {count_lanes(mask) == 1 ? MessageId::LaneNumber : MessageId::LaneNumbers, {lane_ranges(mask)}};
}

std::string lanes_in_words(LaneMask mask) { return english(lanes_named(mask)); }

std::string lane_mask_hex(LaneMask mask, unsigned lanes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = lanes > 32 ? 60 : 28; shift >= 0; shift -= 4) text += kDigits[mask >> shift & 15];
  return text;
}

}  // namespace warpsim
