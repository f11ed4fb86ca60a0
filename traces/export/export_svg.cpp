// One warp's network as an SVG picture: lanes are columns, arrows run from source lane to destination lane.
//
// Shapes: text stays text. Light, and dark where the reader prefers it. Nothing is shown by colour alone: an arrow's
//         direction is its slope, inactive lanes are hatched, undefined ones ⟂, lanes that keep their own value have a
//         dashed line.
// Units:  pixels.
// Source: SVG 1.1; colours: Okabe and Ito, "Color Universal Design", 2008.
#include <algorithm>
#include <bit>

#include "traces/export/export.h"
#include "traces/export/export_parts.h"
#include "traces/export/network.h"
#include "traces/export/svg_parts.h"
#include "traces/sentence/launch_text.h"
#include "traces/template/phase_template.h"
#include "traces/words/phrases.h"

namespace warpsim {
namespace {

constexpr int kCharWidth = 7;  // of the monospaced text, at 12 px
constexpr int kSvgCellHeight = 24, kCaptionHeight = 12, kMargin = 20, kHeader = 64, kSvgLineHeight = 16, kLabelGap = 18;
// Of the row that a step adds: heavier lines and frames.
constexpr std::string_view kNowStyle = ".now .line { stroke-width: 2.6; } .now rect { stroke-width: 2.4; }\n";
constexpr std::size_t kMaxLabel = 60;  // characters of an instruction beside its row

std::string shortened_label(const std::string& text) {
  if (text_width(text) <= kMaxLabel) return text;
  std::size_t end = kMaxLabel - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a character
  return text.substr(0, end) + "…";
}

class Picture {
 public:
  Picture(const TraceHead& head, const Network& network, Language language)
      : head_(head), net_(network), language_(language) {
    std::size_t widest = 0, label = 16;
    for (const NetworkRow& row : net_.rows) {
      for (const NetworkCell& cell : row.is_one_value(net_.present) ? std::vector<NetworkCell>{} : row.cells)
        widest = std::max({widest, text_width(cell.text), text_width(cell.caption)});
      for (const std::string* text : {&row.text, &row.title})
        label = std::max(label, std::min(text_width(*text), kMaxLabel));
      for (const std::vector<std::string>* texts : {&row.before, &row.more})
        for (const std::string& text : *texts) label = std::max(label, std::min(text_width(text), kMaxLabel));
    }
    cell_width_ = std::clamp(static_cast<int>(widest) * kCharWidth + 10, 28, 130);
    column_ = cell_width_ + 10;
    left_ = kMargin + static_cast<int>(label) * kCharWidth + 20;
    width_ = left_ + column_ * static_cast<int>(net_.lanes) + 64 + kMargin;
    const std::size_t heading = std::max(text_width(name()) * 9, text_width(about()) * 7);
    width_ = std::max(width_, static_cast<int>(std::min<std::size_t>(heading, 2000)) + 2 * kMargin);
  }

  // The whole picture, and as it is after each row.
  std::string draw(SvgTheme theme) {
    lay_out();
    return document(theme, "", lines_, cells_);
  }
  std::vector<std::string> draw_steps(SvgTheme theme) {
    lay_out();
    if (ends_.empty()) return {document(theme, "", lines_, cells_)};
    std::vector<std::string> pictures;
    for (std::size_t k = 0; k < ends_.size(); ++k) {
      const Drawn from = k == 0 ? Drawn{} : ends_[k - 1];
      const Drawn to = k + 1 == ends_.size() ? Drawn{lines_.size(), cells_.size()} : ends_[k];
      const std::string lines = lines_.substr(0, from.lines) + "<g class=\"now\">\n" +
                                lines_.substr(from.lines, to.lines - from.lines) + "</g>\n";
      const std::string cells = cells_.substr(0, from.cells) + "<g class=\"now\">\n" +
                                cells_.substr(from.cells, to.cells - from.cells) + "</g>\n";
      pictures.push_back(document(theme, kNowStyle, lines, cells));
    }
    return pictures;
  }

 private:
  struct Drawn {
    std::size_t lines = 0, cells = 0;  // how much of lines_ and cells_
  };
  static std::string n(int number) { return std::to_string(number); }
  int x(unsigned lane) const { return left_ + column_ * static_cast<int>(lane) + column_ / 2; }
  std::string name() const { return head_.title.empty() ? head_.program : head_.title; }
  std::string about() const {
    std::string text = head_.program + ", " + launch_text(head_, language_);
    if (head_.grid.count() > 1) text += say(language_, Phrase::AndBlock, {std::to_string(net_.block)});
    if (head_.block.count() > head_.lanes) text += say(language_, Phrase::AndWarp, {std::to_string(net_.warp)});
    return text;
  }
  // A line with a head at its end. `data` names its lanes for programs that read the picture.
  void arrow(const char* kind, const char* head, int x1, int y1, int x2, int y2, const std::string& data) {
    // In tenths of a pixel, in integers, so that the bytes are the same everywhere.
    const long dx = x2 - x1, dy = y2 - y1;
    long length = 1;
    while (length * length < dx * dx + dy * dy) ++length;
    const long bx = x2 * 10 - dx * 70 / length, by = y2 * 10 - dy * 70 / length;
    const long sx = dy * 30 / length, sy = -dx * 30 / length;
    const auto tenths = [](long value) {
      return std::to_string(value / 10) + (value % 10 == 0 ? "" : "." + std::to_string(value % 10));
    };
    lines_ += std::string("<g class=\"arrow\"") + data + "><line class=\"line " + kind + "\" x1=\"" + n(x1) +
              "\" y1=\"" + n(y1) + "\" x2=\"" + tenths(bx) + "\" y2=\"" + tenths(by) + "\"/><path class=\"" + head +
              "\" d=\"M" + n(x2) + " " + n(y2) + "L" + tenths(bx + sx) + " " + tenths(by + sy) + "L" + tenths(bx - sx) +
              " " + tenths(by - sy) + "Z\"/></g>\n";
  }

  void lay_out();
  std::string document(SvgTheme theme, std::string_view more_style, const std::string& lines,
                       const std::string& cells) const;
  void row(std::size_t k);
  void fault(const std::string& words);
  void edges(const NetworkRow& row, int from_y, int to_y);
  void cell(const NetworkRow& row, unsigned lane, int top, int height);
  void wide_cell(const NetworkRow& row, int top, int height);
  std::string key(int y) const;

  const TraceHead& head_;
  Network net_;
  Language language_;
  int cell_width_ = 0, column_ = 0, left_ = 0, width_ = 0;
  int y_ = kHeader + 8;  // below what is drawn
  int label_end_ = 0;    // the baseline of the last label
  std::string lines_, cells_;
  std::vector<Drawn> ends_;  // after each row
  bool moves_right_ = false, moves_left_ = false, keeps_ = false, lost_ = false, gone_ = false, undefined_ = false,
       gathers_ = false, scans_ = false, reduces_ = false;
};

void Picture::lay_out() {
  for (std::size_t k = 0; k < net_.rows.size(); ++k) {
    row(k);
    ends_.push_back({lines_.size(), cells_.size()});
  }
  for (const std::string& finding : net_.findings) fault(finding);
}

// After lay_out(): `lines` and `cells` on paper of the whole picture's size, with its lanes and its key.
std::string Picture::document(SvgTheme theme, std::string_view more_style, const std::string& lines,
                              const std::string& cells) const {
  const int bottom = y_ + 14;
  const std::string keys = key(bottom + 12);
  const int height = bottom + (keys.empty() ? kMargin / 2 : 34);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + n(width_) + "\" height=\"" + n(height) +
                    "\" viewBox=\"0 0 " + n(width_) + " " + n(height) +
                    "\" role=\"img\" aria-labelledby=\"name about\">\n";
  out += "<title id=\"name\">" + xml_text(name()) + "</title>\n<desc id=\"about\">" + xml_text(about()) + "</desc>\n";
  out += "<style>" + svg_style(theme) + std::string(more_style) + "</style>\n";
  out +=
      "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><line class=\"hatch\" x1=\"0\" y1=\"0\" x2=\"0\" "
      "y2=\"6\"/></pattern></defs>\n";
  out += "<rect class=\"paper\" width=\"" + n(width_) + "\" height=\"" + n(height) + "\"/>\n";
  svg_text(out, "title", kMargin, 28, name());
  svg_text(out, "sub", kMargin, 46, about());
  for_each_lane(full_mask(net_.lanes), [&](unsigned lane) {
    svg_text(out, has_lane(net_.present, lane) ? "lane" : "lane dim", x(lane), kHeader, std::to_string(lane));
    svg_line(out, "grid", x(lane), kHeader + 6, x(lane), bottom);
  });
  svg_text(out, "dim", left_ - 6 * kCharWidth, kHeader, say(language_, Phrase::LaneNumbers));
  return out + lines + cells + keys + "</svg>\n";
}

void Picture::row(std::size_t k) {
  const NetworkRow& row = net_.rows[k];
  const unsigned farthest = row.reach();
  const bool has_caption =
      std::any_of(row.cells.begin(), row.cells.end(), [](const NetworkCell& c) { return !c.caption.empty(); });
  const int height = kSvgCellHeight + (has_caption ? kCaptionHeight : 0);
  int gap = farthest > 0         ? std::min(96, 34 + 4 * static_cast<int>(farthest))
            : row.gathered != 0  ? collective_height(row)
            : !row.edges.empty() ? 20
                                 : 12;
  const std::vector<std::string> title = wrapped(row.title, kMaxLabel);
  const int titles = row.title.empty() ? 0 : 2 + kSvgLineHeight * static_cast<int>(title.size());
  if (titles > 0) gap = std::max(gap, 10 + titles);
  const int before = kSvgLineHeight * static_cast<int>(row.before.size()),
            more = kSvgLineHeight * static_cast<int>(row.more.size());
  const int label = height / 2 + 4 - (before + more) / 2;  // its first baseline, below the cells' top
  const int top = std::max(y_ + gap, label_end_ + kLabelGap + kSvgLineHeight + titles - label);
  edges(row, y_, top);
  if (row.gathered != 0) {
    (row.collective == FlowKind::Scan ? scans_ : row.collective == FlowKind::Reduce ? reduces_ : gathers_) = true;
    std::vector<int> centres;
    for (unsigned lane = 0; lane < net_.lanes; ++lane) centres.push_back(x(lane));
    draw_collective(lines_, {row, centres, y_, top});
  }
  if (row.is_one_value(net_.present)) wide_cell(row, top, height);
  else for_each_lane(net_.present, [&](unsigned lane) { cell(row, lane, top, height); });
  const int middle = top + label;
  label_end_ = middle + before + more;
  for (std::size_t line = 0; line < title.size() && !row.title.empty(); ++line)
    svg_text(cells_, "phase", kMargin, middle - 2 - kSvgLineHeight * static_cast<int>(title.size() - line),
             title[line]);
  int baseline = middle;
  const auto line_of_label = [&](const char* kind, const std::string& text) {
    svg_text(cells_, kind, kMargin, baseline, shortened_label(text));
    baseline += kSvgLineHeight;
  };
  for (const std::string& text : row.before) line_of_label("op", text);
  line_of_label(row.event == 0 ? "dim" : "op", row.text);
  for (const std::string& text : row.more) line_of_label("op", text);
  svg_text(cells_, "when", width_ - kMargin, top + height / 2 + 4, row.when);
  y_ = top + height;
  if (!row.stopped.empty()) fault(row.stopped);
}

// Why the run stopped, or what was wrong, below what is drawn.
void Picture::fault(const std::string& words) {
  const std::size_t room = static_cast<std::size_t>((width_ - 2 * kMargin) / kCharWidth);
  for (const std::string& line : wrapped(words, room))
    svg_text(cells_, "stop", kMargin, y_ += kSvgLineHeight + 2, line);
}

void Picture::edges(const NetworkRow& row, int from_y, int to_y) {
  for (const NetworkEdge& edge : row.edges) {
    const std::string data =
        " data-from=\"" + std::to_string(edge.from) + "\" data-to=\"" + std::to_string(edge.to) + "\"";
    const int from = x(edge.from), to = x(edge.to);
    switch (edge.kind) {
      case NetworkEdge::Kind::Moves: {
        const bool right = edge.from < edge.to;
        (right ? moves_right_ : moves_left_) = true;
        arrow(right ? "right" : "left", right ? "righthead" : "lefthead", from, from_y + 1, to + (right ? -5 : 5),
              to_y - 1, data);
        break;
      }
      case NetworkEdge::Kind::Own: arrow("own", "ownhead", from, from_y + 1, to, to_y - 1, data); break;
      case NetworkEdge::Kind::Keeps:
        keeps_ = true;
        arrow("keeps", "ownhead", to, from_y + 1, to, to_y - 1, data);
        break;
      case NetworkEdge::Kind::Undefined:
        lost_ = true;
        arrow("lost", "lefthead", from, from_y + 1, to, to_y - 1, data);
        break;
      case NetworkEdge::Kind::Carries: svg_line(lines_, "carry", from, from_y + 1, to, to_y - 1); break;
    }
  }
}

void Picture::cell(const NetworkRow& row, unsigned lane, int top, int height) {
  const NetworkCell& cell = row.cells[lane];
  const char* kind = "cell";
  if (row.access == TraceMemory::Access::Load) kind = "load";
  if (row.access == TraceMemory::Access::Store) kind = "store";
  if (!row.stopped.empty() && !cell.text.empty()) kind = "fault";
  if (cell.kind == NetworkCell::Kind::Inactive) kind = "gone", gone_ = true;
  if (cell.kind == NetworkCell::Kind::Undefined) kind = "undefined", undefined_ = true;
  cells_ += std::string("<rect class=\"") + kind + "\" x=\"" + n(x(lane) - cell_width_ / 2) + "\" y=\"" + n(top) +
            "\" width=\"" + n(cell_width_) + "\" height=\"" + n(height) + "\" rx=\"4\"/>\n";
  const bool is_undefined = cell.kind == NetworkCell::Kind::Undefined;
  const std::string words = is_undefined ? "⟂" : cell.text;
  if (!words.empty())
    svg_text(cells_, cell.kind == NetworkCell::Kind::Inactive ? "value dim" : "value", x(lane), top + 16, words);
  if (!cell.caption.empty()) svg_text(cells_, "caption", x(lane), top + height - 5, cell.caption);
}

// What all lanes share is written once.
void Picture::wide_cell(const NetworkRow& row, int top, int height) {
  const unsigned first = first_lane(net_.present), last = 63U - static_cast<unsigned>(std::countl_zero(net_.present));
  const int from = x(first) - cell_width_ / 2, to = x(last) + cell_width_ / 2;
  cells_ += "<rect class=\"cell\" x=\"" + n(from) + "\" y=\"" + n(top) + "\" width=\"" + n(to - from) + "\" height=\"" +
            n(height) + "\" rx=\"4\"/>\n";
  svg_text(cells_, "value", (from + to) / 2, top + 16, row.cells[first].text);
  if (!row.cells[first].caption.empty())
    svg_text(cells_, "caption", (from + to) / 2, top + height - 5, row.cells[first].caption);
}

std::string Picture::key(int y) const {
  std::string words;
  const auto add = [&](bool is_there, Phrase what) {
    if (is_there) words += (words.empty() ? "" : "  ·  ") + say(language_, what);
  };
  add(moves_right_ || moves_left_, Phrase::KeyArrows);
  add(gathers_, Phrase::KeyBar);
  add(scans_, Phrase::KeyStairs);
  add(reduces_, Phrase::KeyTwoBars);
  add(keeps_, Phrase::KeyKeeps);
  add(gone_, Phrase::KeyInactive);
  add(lost_ || undefined_, Phrase::KeyUndefined);
  std::string out;
  if (!words.empty()) svg_text(out, "key", kMargin, y, words);
  return out;
}

}  // namespace

std::string export_svg(const TraceHead& head, const Network& network, Language language) {
  return export_svg(head, network, language, SvgTheme::Readers);
}

std::string export_svg(const TraceHead& head, const Network& network, Language language, SvgTheme theme) {
  return Picture(head, network, language).draw(theme);
}

std::vector<std::string> export_svg_steps(const TraceHead& head, const Network& network, Language language,
                                          SvgTheme theme) {
  return Picture(head, network, language).draw_steps(theme);
}

}  // namespace warpsim
