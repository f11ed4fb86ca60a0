// Collectives as SVG: a bar where lanes converge (votes, matches), a staircase (scans), two bars joined by one value
// (reductions).
#include <algorithm>
#include <bit>

#include "traces/export/svg_parts.h"

namespace warpsim {
namespace {

constexpr int kHead = 7;

void head(std::string& out, int x, int y, unsigned lane) {
  const auto point = [](int px, int py) { return std::to_string(px) + " " + std::to_string(py); };
  out += "<path class=\"bushead\" data-gather=\"" + std::to_string(lane) + "\" d=\"M" + point(x, y) + "L" +
         point(x - 3, y - kHead) + "L" + point(x + 3, y - kHead) + "Z\"/>\n";
}

std::vector<unsigned> lanes_in(LaneMask mask) {
  std::vector<unsigned> lanes;
  for_each_lane(mask, [&](unsigned lane) { lanes.push_back(lane); });
  return lanes;
}

// From lane to lane goes what the lanes so far come to, a stair lower each time. A lane's own value joins before its
// result leaves; in an exclusive scan after, so that each lane has two lines, and lane 0 gets nothing.
void draw_stairs(std::string& out, const SvgCollective& one) {
  const std::vector<unsigned> lanes = lanes_in(one.row.gathered);
  const int count = static_cast<int>(lanes.size()), top = one.top + 8, low = one.bottom - kHead - 8;
  const int aside = one.row.exclusive ? 6 : 0;
  const auto stair = [&](int k) { return top + (low - top) * k / std::max(1, count - 1); };
  for (int k = 0; k < count; ++k) {
    const unsigned lane = lanes[static_cast<std::size_t>(k)];
    const int joins = one.x[lane] + aside, leaves = one.x[lane] - aside;
    svg_line(out, "stem", joins, one.top + 1, joins, stair(k));
    if (k > 0) svg_line(out, "bus", joins, stair(k - 1), joins, stair(k));
    if (k + 1 < count)
      svg_line(out, "bus", joins, stair(k), one.x[lanes[static_cast<std::size_t>(k) + 1]] + aside, stair(k));
    if (one.row.exclusive && k == 0) continue;
    svg_line(out, "stem", leaves, one.row.exclusive ? stair(k - 1) : stair(k), leaves, one.bottom - kHead);
    head(out, leaves, one.bottom - 1, lane);
  }
}

// `in` and `out` of the lanes: the same line, or two with one value between.
void draw_bars(std::string& out, const SvgCollective& one, int in_y, int out_y) {
  const int first = one.x[first_lane(one.row.gathered)];
  const int last = one.x[63U - static_cast<unsigned>(std::countl_zero(one.row.gathered))];
  svg_line(out, "bus", first, in_y, last, in_y);
  if (in_y != out_y) {
    const int x = (first + last) / 2, y = (in_y + out_y) / 2;
    svg_line(out, "bus", first, out_y, last, out_y);
    svg_line(out, "bus", x, in_y, x, out_y);
    out += "<circle class=\"bushead\" cx=\"" + std::to_string(x) + "\" cy=\"" + std::to_string(y) + "\" r=\"5\"/>\n";
  }
  for_each_lane(one.row.gathered, [&](unsigned lane) {
    svg_line(out, "stem", one.x[lane], one.top + 1, one.x[lane], in_y);
    svg_line(out, "stem", one.x[lane], out_y, one.x[lane], one.bottom - kHead);
    head(out, one.x[lane], one.bottom - 1, lane);
  });
}

}  // namespace

int collective_height(const NetworkRow& row) {
  if (row.collective == FlowKind::Scan) return std::clamp(4 * static_cast<int>(count_lanes(row.gathered)), 44, 96);
  return row.collective == FlowKind::Reduce ? 52 : 40;
}

void draw_collective(std::string& out, const SvgCollective& one) {
  const int height = one.bottom - kHead - one.top;
  if (one.row.gathered == 0) return;
  if (one.row.collective == FlowKind::Scan) draw_stairs(out, one);
  else if (one.row.collective == FlowKind::Reduce) draw_bars(out, one, one.top + height / 4, one.top + height * 3 / 4);
  else draw_bars(out, one, one.top + height / 2, one.top + height / 2);
}

}  // namespace warpsim
