// The arrows of a shuffle in a few rows of characters, between what was sent and what was received.
//
// Shapes: a lane is a column. A lane's value leaves at its column; it arrives one column further left, so that what
//         leaves and what arrives never share one. Lanes that exchange their values share a rule:  ├───┤. All that read
//         one lane are one arrow, with a row of its own, or shared with arrows that it does not touch. An arrow from
//         or to a lane beyond an edge is a stub that points there: ├─ beside a lane that exchanges with one.
// Units:  columns and rows; lanes.
// Errors: none: arrows that do not fit are left out and counted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/event/lane_mask.h"

namespace warpsim::tools {

struct LaneArrow {
  enum class Kind : std::uint8_t { Moves, Keeps, Undefined };
  unsigned from = 0, to = 0;
  Kind kind = Kind::Moves;
};

struct ArrowField {
  std::vector<std::int32_t> column;  // by lane: the column of its value; past an edge: -1 or `width`
  std::int32_t width = 0;
  std::size_t rows = 0;   // at most, with that of the heads
  unsigned hot_lane = 0;  // whose arrow is drawn before the others
  bool ascii = false;
};

struct ArrowCell {
  std::int32_t x = 0;
  std::size_t y = 0;
  std::string text;
  bool hot = false;
};

struct ArrowPicture {
  std::vector<ArrowCell> cells;
  std::size_t rows = 0;  // used
  std::size_t left_out = 0;
};

ArrowPicture draw_arrows(const std::vector<LaneArrow>& arrows, const ArrowField& field);

}  // namespace warpsim::tools
