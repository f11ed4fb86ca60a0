// The middle of the full-screen stepper: registers as rows, lanes as columns, and a shuffle's arrows below.
//
// Shapes: an area of the screen, from (x, y). As many lanes as fit are shown, a page of them at a time, the one with
//         the chosen lane. Registers begin at the top and do not move; a shuffle takes the area's lowest rows.
// Units:  columns and rows.
// Errors: none.
#pragma once

#include "tools/terminal/tui_state.h"

namespace warpsim::tools {

struct ScreenArea {
  std::size_t x = 0, y = 0, width = 0, height = 0;
};

// Columns for all lanes of the run: with names cut, with names whole, and with a blank more for each lane.
struct LanesWant {
  std::size_t least = 0, whole = 0, ample = 0;
};
LanesWant lanes_want(const Stepper& stepper, const TuiState& state);
// A register's name in so many columns: cut, where it must be, in the middle, and so that it is no other's.
std::string distinct_name(const std::vector<TraceRegister>& registers, std::size_t reg, std::size_t columns,
                          std::string_view cut);
void draw_lanes(Screen& screen, const ScreenArea& area, const Stepper& stepper, const TuiState& state);

}  // namespace warpsim::tools
