// One warp's network as a Graphviz digraph: a node a lane and row, the lanes of a row in order.
//
// Shapes: every node has its place, so that a lane is a column from the first row to the last; layout=nop draws them
//         there.
// Units:  points, 72 an inch; y grows upwards.
// Source: Graphviz, "DOT Language"; "Attributes": pos, layout.
#include <algorithm>

#include "traces/export/export.h"
#include "traces/export/export_parts.h"
#include "traces/export/network.h"
#include "traces/export/svg_parts.h"
#include "traces/template/phase_template.h"
#include "traces/words/plain_text.h"

namespace warpsim {
namespace {

constexpr int kDotCharWidth = 6;  // of the monospaced text, at 10 pt
constexpr int kLineHeight = 14, kCellHeight = 22;
constexpr std::size_t kDotMaxLabel = 60;  // characters in a line

// As an HTML-free, quoted string.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : without_controls(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' || c == '\t' ? ' ' : c;
  }
  return out + "\"";
}

std::string node(std::size_t row, unsigned lane) { return "r" + std::to_string(row) + "_" + std::to_string(lane); }

std::string value_of(const NetworkCell& cell) {
  const std::string value = cell.kind == NetworkCell::Kind::Undefined ? "⟂" : cell.text;
  return cell.caption.empty() ? value : value + " " + cell.caption;
}

class Digraph {
 public:
  explicit Digraph(const Network& net) : net_(net) {
    std::size_t widest = 0, label = 0;
    for (const NetworkRow& row : net.rows) {
      for (const NetworkCell& cell : row.cells) widest = std::max(widest, text_width(value_of(cell)));
      for (const std::string& line : lines_of(row)) label = std::max(label, text_width(line));
    }
    cell_width_ = static_cast<int>(widest) * kDotCharWidth + 14;
    left_ = static_cast<int>(label) * kDotCharWidth + 20;
  }

  std::string draw(const std::string& name) {
    std::string out =
        "digraph " + quoted(name) +
        " {\n  layout=nop;\n  node [shape=box, fontname=\"monospace\", fontsize=10, margin=\"0.05,0.02\", "
        "height=0.3, width=" +
        inches(cell_width_) + "];\n  edge [arrowsize=0.6];\n";
    for (std::size_t k = 0; k < net_.rows.size(); ++k) {
      row(out, k);
      if (k != 0) edges(out, k);
    }
    for (std::size_t k = 0; k < net_.findings.size(); ++k)
      words(out, "f" + std::to_string(k), wrapped(net_.findings[k], kDotMaxLabel));
    return out + "}\n";
  }

 private:
  static std::string inches(int points) {
    const std::string hundredths = std::to_string(points * 100 / 72 % 100);
    return std::to_string(points / 72) + "." + (hundredths.size() < 2 ? "0" : "") + hundredths;
  }
  static std::string at(int x, int y) { return "pos=\"" + std::to_string(x) + "," + std::to_string(y) + "\""; }
  int x(unsigned lane) const { return left_ + (cell_width_ + 10) * static_cast<int>(lane) + cell_width_ / 2; }

  // The text beside a row.
  static std::vector<std::string> lines_of(const NetworkRow& row) {
    std::vector<std::string> lines;
    const auto add = [&lines](const std::string& text) {
      for (std::string& line : wrapped(text, kDotMaxLabel)) lines.push_back(std::move(line));
    };
    if (!row.title.empty()) add(row.title);
    for (const std::string& text : row.before) add(text);
    if (!row.text.empty()) add(row.text);
    for (const std::string& text : row.more) add(text);
    return lines;
  }
  // A text of several lines whose middle is `y_`.
  void label(std::string& out, const std::string& id, const std::vector<std::string>& lines) const {
    std::size_t widest = 0;
    std::string text;
    for (const std::string& line : lines) {
      widest = std::max(widest, text_width(line));
      const std::string one = quoted(line);
      text += one.substr(1, one.size() - 2) + "\\l";
    }
    out += "  " + id + " [shape=plaintext, width=0.1, label=\"" + text + "\", " +
           at(static_cast<int>(widest) * kDotCharWidth / 2 + 5, y_) + "];\n";
  }
  // The same below everything before.
  void words(std::string& out, const std::string& id, const std::vector<std::string>& lines) {
    const int height = kLineHeight * static_cast<int>(lines.size());
    y_ -= half_ + 10 + height / 2;
    half_ = height / 2;
    label(out, id, lines);
  }
  void row(std::string& out, std::size_t k);
  void edges(std::string& out, std::size_t k) const;

  const Network& net_;
  int cell_width_ = 0, left_ = 0;
  int y_ = 0, half_ = 0, above_ = 0;  // the middle of the last row and half its height; the middle of the one before
};

void Digraph::row(std::string& out, std::size_t k) {
  const NetworkRow& row = net_.rows[k];
  const std::vector<std::string> lines = lines_of(row);
  const unsigned farthest = row.reach();
  const int gap = farthest > 0 ? std::min(96, 30 + 4 * static_cast<int>(farthest)) : row.gathered != 0 ? 40 : 20;
  const int half = std::max(kCellHeight, kLineHeight * static_cast<int>(lines.size())) / 2;
  above_ = y_;
  y_ -= half_ + gap + half;
  half_ = half;
  label(out, "t" + std::to_string(k), lines);
  for_each_lane(net_.present, [&](unsigned lane) {
    const NetworkCell& cell = row.cells[lane];
    out += "  " + node(k, lane) + " [label=" + quoted(value_of(cell)) + ", " + at(x(lane), y_) +
           (cell.kind == NetworkCell::Kind::Inactive ? ", style=dashed" : "") + "];\n";
  });
  if (!row.stopped.empty()) words(out, "stopped", wrapped(row.stopped, kDotMaxLabel));
}

void Digraph::edges(std::string& out, std::size_t k) const {
  for (const NetworkEdge& edge : net_.rows[k].edges) {
    const char* style = "";
    if (edge.kind == NetworkEdge::Kind::Keeps) style = " [style=dashed]";
    if (edge.kind == NetworkEdge::Kind::Carries) style = " [color=gray, arrowhead=none]";
    if (edge.kind == NetworkEdge::Kind::Undefined) style = " [style=dotted, label=\"⟂\"]";
    out += "  " + node(k - 1, edge.from) + ":s -> " + node(k, edge.to) + ":n" + style + ";\n";
  }
  // A collective: every lane's value goes through one point to every lane.
  const LaneMask gathered = net_.rows[k].gathered;
  if (gathered == 0) return;
  const std::string point = "g" + std::to_string(k);
  const unsigned first = first_lane(gathered), last = first + count_lanes(gathered) - 1;
  out += "  " + point + " [shape=point, width=0.05, height=0.05, " + at((x(first) + x(last)) / 2, (above_ + y_) / 2) +
         "];\n";
  for_each_lane(gathered, [&](unsigned lane) {
    out += "  " + node(k - 1, lane) + ":s -> " + point + " [arrowhead=none];\n  " + point + " -> " + node(k, lane) +
           ":n;\n";
  });
}

}  // namespace

// Its labels are the network's, which has its language.
std::string export_dot(const TraceHead& head, const Network& net, Language /*language*/) {
  return Digraph(net).draw(head.program);
}

}  // namespace warpsim
