// How wide a text is on a terminal, and the text cut, filled or broken to a width.
//
// Shapes: a character that is two columns wide, as hangul is, counts two.
// Units:  columns.
// Errors: none: control characters, broken UTF-8 and characters without a width of their own become "?".
// Source: Unicode's EastAsianWidth.txt, for the ranges of wide characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim {

struct Character {
  std::string text;
  std::size_t columns = 1;
};
// The first character of a text, which is taken off it.
Character take_character(std::string_view& text);

std::size_t columns_of(std::string_view text);
// Cut or filled to exactly so many columns: what is cut off ends in `cut`.
std::string fitted(std::string_view text, std::size_t columns, std::string_view cut);
// Broken at blanks into lines of at most so many columns.
std::vector<std::string> wrapped_at(std::string_view text, std::size_t columns);

}  // namespace warpsim
