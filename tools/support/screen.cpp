#include "tools/support/screen.h"

namespace warpsim::tools {

void Screen::put(std::size_t x, std::size_t y, std::string_view text, Ink ink) {
  if (y >= height()) return;
  while (!text.empty()) {
    const Character next = take_character(text);
    if (x + next.columns > width_) return;
    ScreenCell* cell = &cells_[y * width_ + x];
    // Half of a wide character that stood here is no character.
    if (cell->text.empty()) (cell - 1)->text = " ";
    if (x + next.columns < width_ && cell[next.columns].text.empty()) cell[next.columns].text = " ";
    *cell = {next.text, ink};
    if (next.columns == 2) cell[1] = {"", ink};
    x += next.columns;
  }
}

void Screen::fill(std::size_t y, Ink ink) {
  for (std::size_t x = 0; x < width_ && y < height(); ++x) cells_[y * width_ + x].ink = ink;
}

std::string Screen::row(std::size_t y) const {
  std::string text;
  for (std::size_t x = 0; x < width_; ++x) text += at(x, y).text;
  return text;
}

}  // namespace warpsim::tools
