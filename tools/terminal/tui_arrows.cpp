#include "tools/terminal/tui_arrows.h"

#include <algorithm>
#include <map>
#include <utility>

namespace warpsim::tools {
namespace {

constexpr unsigned kUp = 1, kDown = 2, kLeft = 4, kRight = 8;

struct Head {
  std::int32_t x;
  LaneArrow::Kind kind;
};

// What one lane sends, or what two exchange.
struct Net {
  std::vector<std::int32_t> tops;  // columns where a value leaves
  std::vector<Head> heads;         // and where one arrives
  std::int32_t low = 0, high = 0;
  bool hot = false;
  std::size_t track = 0;
  bool is_straight() const { return low == high; }
};

const char* line_text(unsigned sides, bool ascii) {
  static constexpr const char* kLines[16] = {" ", "│", "│", "│", "─", "┘", "┐", "┤",
                                             "─", "└", "┌", "├", "─", "┴", "┬", "┼"};
  if (!ascii) return kLines[sides];
  if ((sides & (kLeft | kRight)) == 0) return "|";
  return (sides & (kUp | kDown)) == 0 ? "-" : "+";
}

const char* head_text(LaneArrow::Kind kind, bool ascii) {
  switch (kind) {
    case LaneArrow::Kind::Undefined: return ascii ? "x" : "╳";
    case LaneArrow::Kind::Keeps: return ascii ? "|" : "│";
    default: return ascii ? "v" : "▼";
  }
}

class Router {
 public:
  Router(const std::vector<LaneArrow>& arrows, const ArrowField& field) : field_(field) {
    for (const LaneArrow& arrow : arrows) readers_[arrow.from].push_back(arrow);
    for (const auto& [from, to] : readers_) add_net(from, to);
    std::stable_sort(nets_.begin(), nets_.end(), [](const Net& a, const Net& b) {
      return std::make_pair(!a.hot, a.low) < std::make_pair(!b.hot, b.low);
    });
  }

  ArrowPicture draw() {
    choose_tracks();
    for (const Net& net : nets_) add_lines(net);
    for (const auto& [place, line] : lines_)
      picture_.cells.push_back({place.first, place.second, line_text(line.first, field_.ascii), line.second});
    const std::size_t bottom = picture_.rows - 1;
    for (const Net& net : nets_)
      for (const Head& head : net.heads)
        if (is_inside(head.x)) picture_.cells.push_back({head.x, bottom, head_text(head.kind, field_.ascii), net.hot});
    return picture_;
  }

 private:
  bool is_inside(std::int32_t x) const { return x >= 0 && x < field_.width; }

  // Whether a and b read each other, and nobody else reads them.
  bool exchange(unsigned a, unsigned b) const {
    const auto one = readers_.find(a), other = readers_.find(b);
    return a != b && one != readers_.end() && other != readers_.end() && one->second.size() == 1 &&
           other->second.size() == 1 && one->second.front().to == b && other->second.front().to == a;
  }

  void add_net(unsigned from, const std::vector<LaneArrow>& to) {
    const unsigned partner = to.front().to;
    const std::int32_t at = field_.column[from];
    if (exchange(from, partner)) return add_pair(from, partner);
    Net net;
    net.tops.push_back(at);
    for (const LaneArrow& arrow : to) {
      const bool own = to.size() == 1 && arrow.to == from;
      const std::int32_t x = field_.column[arrow.to];
      const Head head{own ? x : x - 1, arrow.kind};
      const bool is_hot = arrow.to == field_.hot_lane || from == field_.hot_lane;
      net.hot = net.hot || is_hot;
      if (is_inside(at) && is_inside(x)) net.heads.push_back(head);
      else if (is_inside(x)) add_stub({}, {head}, head.x, at, is_hot);
    }
    const auto goes_to = [&](std::int32_t edge) {
      return is_inside(at) &&
             std::any_of(to.begin(), to.end(), [&](const LaneArrow& one) { return field_.column[one.to] == edge; });
    };
    const bool left = goes_to(-1), right = goes_to(field_.width);
    if (!net.heads.empty()) return add(std::move(net), left, right);
    if (left) add_stub({at}, {}, at, -1, net.hot);
    if (right) add_stub({at}, {}, at, field_.width, net.hot);
  }

  // Two lanes that read each other share their columns.
  void add_pair(unsigned one, unsigned other) {
    const std::int32_t x = field_.column[one], y = field_.column[other];
    const bool is_hot = one == field_.hot_lane || other == field_.hot_lane;
    if (is_inside(x) && !is_inside(y)) return add_stub({x}, {{x, readers_.at(other).front().kind}}, x, y, is_hot);
    if (other < one || !is_inside(x)) return;  // drawn with the other, or not seen
    Net net;
    net.tops = {x, y};
    net.heads = {{y, readers_.at(one).front().kind}, {x, readers_.at(other).front().kind}};
    net.hot = is_hot;
    add(std::move(net), false, false);
  }

  // What comes from beyond an edge, or goes there: a rule of one column that points there.
  void add_stub(std::vector<std::int32_t> tops, std::vector<Head> heads, std::int32_t at, std::int32_t beyond,
                bool hot) {
    Net net;
    net.tops = std::move(tops);
    net.heads = std::move(heads);
    net.low = beyond < at ? at - 1 : at;
    net.high = beyond < at ? at : at + 1;
    net.hot = hot;
    nets_.push_back(std::move(net));
  }

  // One that also goes to lanes beyond an edge has a rule that is one column longer there.
  void add(Net net, bool left, bool right) {
    net.low = net.high = net.tops.front();
    for (const Head& head : net.heads) {
      net.low = std::min(net.low, head.x);
      net.high = std::max(net.high, head.x);
    }
    if (left) --net.low;
    if (right) ++net.high;
    nets_.push_back(std::move(net));
  }

  // The first track on which it touches no other; the nets that find none go.
  void choose_tracks() {
    std::vector<std::vector<const Net*>> tracks;
    std::vector<Net> kept;
    kept.reserve(nets_.size());
    const std::size_t most = field_.rows == 0 ? 0 : field_.rows - 1;
    for (Net& net : nets_) {
      std::size_t track = 0;
      const auto touches = [&](const Net* other) { return net.low <= other->high && other->low <= net.high; };
      while (!net.is_straight() && track < tracks.size() &&
             std::any_of(tracks[track].begin(), tracks[track].end(), touches))
        ++track;
      if (!net.is_straight() && track >= most) {
        ++picture_.left_out;
        continue;
      }
      net.track = track;
      kept.push_back(net);
      if (net.is_straight()) continue;
      if (track == tracks.size()) tracks.emplace_back();
      tracks[track].push_back(&kept.back());
    }
    nets_ = std::move(kept);
    picture_.rows = tracks.size() + 1;
  }

  void line(std::int32_t x, std::size_t y, unsigned sides, bool hot) {
    if (!is_inside(x)) return;
    std::pair<unsigned, bool>& there = lines_[{x, y}];
    there.first |= sides;
    there.second = there.second || hot;
  }

  void add_lines(const Net& net) {
    const std::size_t heads = picture_.rows - 1;  // their row
    if (net.is_straight()) {
      for (std::size_t y = 0; y < heads; ++y) line(net.low, y, kUp | kDown, net.hot);
      return;
    }
    for (std::int32_t x = std::max(net.low, 0); x <= std::min(net.high, field_.width - 1); ++x)
      line(x, net.track, (x > net.low ? kLeft : 0) | (x < net.high ? kRight : 0), net.hot);
    for (const std::int32_t x : net.tops) {
      for (std::size_t y = 0; y < net.track; ++y) line(x, y, kUp | kDown, net.hot);
      line(x, net.track, kUp, net.hot);
    }
    for (const Head& head : net.heads) {
      line(head.x, net.track, kDown, net.hot);
      for (std::size_t y = net.track + 1; y < heads; ++y) line(head.x, y, kUp | kDown, net.hot);
    }
  }

  const ArrowField& field_;
  std::map<unsigned, std::vector<LaneArrow>> readers_;  // by source
  std::vector<Net> nets_;
  std::map<std::pair<std::int32_t, std::size_t>, std::pair<unsigned, bool>> lines_;
  ArrowPicture picture_;
};

}  // namespace

ArrowPicture draw_arrows(const std::vector<LaneArrow>& arrows, const ArrowField& field) {
  return Router(arrows, field).draw();
}

}  // namespace warpsim::tools
