// The shuffle network: for one lane, where its value comes from.
//
// Shapes: one pure function per mode: (lane, b, c, index mask) → source lane and in-range bit. `c` packs the segment
//         mask in its upper and the clamp in its lower part, as PTX's operand c does.
// Units:  lanes.
// Errors: none: every input has an answer. The caller decides whether the source lane participates.
// Source: PTX ISA 9.0, section 9.7.9.6 "shfl.sync", the pseudo-code; bit for bit what tests/data/h200_semantics holds
//         (`shfl`, `shflraw`, `shfllane`). 64 lanes use six bits of b and of each field of c and have no hardware
//         witness.
#pragma once

#include <cstdint>

#include "isa/kernels/shuffle_mode.h"

namespace warpsim {

struct ShuffleSource {
  unsigned lane;  // the lane whose value arrives; the own lane where in_range is false
  bool in_range;
};

namespace shuffle_detail {
struct Segment {
  unsigned first, limit;
};  // limit: the last lane in reach for idx, down, bfly; the first for up
constexpr Segment segment(unsigned lane, std::uint32_t c, unsigned index_mask) {
  const unsigned segment_mask = c >> 8 & index_mask;
  return {lane & segment_mask, (lane & segment_mask) | (c & index_mask & ~segment_mask)};
}
constexpr ShuffleSource pick(unsigned lane, unsigned source, bool in_range) {
  return {in_range ? source : lane, in_range};
}
}  // namespace shuffle_detail

constexpr ShuffleSource shuffle_idx(unsigned lane, std::uint32_t b, std::uint32_t c, unsigned index_mask) {
  const unsigned segment_mask = c >> 8 & index_mask;
  const shuffle_detail::Segment s = shuffle_detail::segment(lane, c, index_mask);
  const unsigned source = s.first | (b & index_mask & ~segment_mask);
  return shuffle_detail::pick(lane, source, source <= s.limit);
}
constexpr ShuffleSource shuffle_up(unsigned lane, std::uint32_t b, std::uint32_t c, unsigned index_mask) {
  const int source = static_cast<int>(lane) - static_cast<int>(b & index_mask);
  const shuffle_detail::Segment s = shuffle_detail::segment(lane, c, index_mask);
  return shuffle_detail::pick(lane, static_cast<unsigned>(source), source >= static_cast<int>(s.limit));
}
constexpr ShuffleSource shuffle_down(unsigned lane, std::uint32_t b, std::uint32_t c, unsigned index_mask) {
  const unsigned source = lane + (b & index_mask);
  const shuffle_detail::Segment s = shuffle_detail::segment(lane, c, index_mask);
  return shuffle_detail::pick(lane, source, source <= s.limit);
}
constexpr ShuffleSource shuffle_bfly(unsigned lane, std::uint32_t b, std::uint32_t c, unsigned index_mask) {
  const unsigned source = lane ^ (b & index_mask);
  const shuffle_detail::Segment s = shuffle_detail::segment(lane, c, index_mask);
  return shuffle_detail::pick(lane, source, source <= s.limit);
}

constexpr ShuffleSource shuffle_source(ShuffleMode mode, unsigned lane, std::uint32_t b, std::uint32_t c,
                                       unsigned index_mask) {
  switch (mode) {
    case ShuffleMode::Idx: return shuffle_idx(lane, b, c, index_mask);
    case ShuffleMode::Up: return shuffle_up(lane, b, c, index_mask);
    case ShuffleMode::Down: return shuffle_down(lane, b, c, index_mask);
    case ShuffleMode::Bfly: return shuffle_bfly(lane, b, c, index_mask);
  }
  return {lane, false};
}

}  // namespace warpsim
