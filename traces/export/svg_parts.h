// What every SVG picture is made of: its looks, and text that XML takes.
//
// Shapes: classes of the style are named where they are used, export_svg.cpp and svg_collective.cpp.
// Units:  pixels.
// Errors: none.
// Source: SVG 1.1; colours: Okabe and Ito, "Color Universal Design", 2008.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "traces/export/export.h"
#include "traces/export/network.h"

namespace warpsim {

std::string svg_style(SvgTheme theme);
// Markup is escaped, and what XML has no character for becomes U+FFFD.
std::string xml_text(std::string_view text);
void svg_text(std::string& out, const char* kind, int x, int y, const std::string& words);
void svg_line(std::string& out, const char* kind, int x1, int y1, int x2, int y2);
// A text in lines of at most `width` columns, broken at blanks.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

// A collective between the row above, which ends at `top`, and its own, which begins at `bottom`. `x` has the middle of
// each lane.
struct SvgCollective {
  const NetworkRow& row;
  std::vector<int> x;
  int top, bottom;
};
// How high the gap must be in which it is drawn.
int collective_height(const NetworkRow& row);
void draw_collective(std::string& out, const SvgCollective& one);

}  // namespace warpsim
