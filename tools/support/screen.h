// A screen of characters, to be drawn on without a terminal.
//
// Shapes: a grid of cells. A character that is two columns wide, as hangul is, takes two cells, of which the second is
//         empty. What does not fit is cut off, so that no row is longer than the screen.
// Units:  columns and rows, from 0.
// Errors: none: control characters, broken UTF-8 and characters without a width of their own become "?".
// Source: Unicode's EastAsianWidth.txt, for the ranges of wide characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/text/columns.h"

namespace warpsim::tools {

// What a cell says, never how it looks alone: each of these also has a sign of its own on the screen.
enum class Ink : std::uint8_t { Plain, Dim, Bar, Here, Chosen, Changed, Title, Arrow, HotArrow, Stop };

struct ScreenCell {
  std::string text = " ";  // one character; "" after a wide one
  Ink ink = Ink::Plain;
};

class Screen {
 public:
  Screen(std::size_t width, std::size_t height) : width_(width), cells_(width * height) {}
  std::size_t width() const { return width_; }
  std::size_t height() const { return width_ == 0 ? 0 : cells_.size() / width_; }
  const ScreenCell& at(std::size_t x, std::size_t y) const { return cells_[y * width_ + x]; }
  void put(std::size_t x, std::size_t y, std::string_view text, Ink ink = Ink::Plain);
  void fill(std::size_t y, Ink ink);  // the text of the row stays
  std::string row(std::size_t y) const;

  std::size_t cursor_x = 0, cursor_y = 0;
  bool has_cursor = false;

 private:
  std::size_t width_;
  std::vector<ScreenCell> cells_;
};

}  // namespace warpsim::tools
