// Drawing the lines of one phase.
#include "traces/text/text_renderer_lines.h"

#include <algorithm>

namespace warpsim {
namespace {

constexpr std::string_view kIndent = "  ";

void add_line(std::string& out, std::string_view line, bool flush) {
  if (!flush) out += kIndent;
  out += line;
  while (!out.empty() && out.back() == ' ') out.pop_back();
  out += '\n';
}

// Items side by side, each column as wide as its widest item and two more.
void add_rows(std::string& out, const std::vector<std::string>& items, const LineOptions& options, bool flush) {
  const std::size_t columns = options.columns;
  std::size_t width = 0;
  for (const std::string& item : items) width = std::max(width, text_width(item) + (options.comma ? 1 : 0) + 2);
  for (std::size_t row = 0; row < items.size(); row += columns) {
    std::string line;
    for (std::size_t k = row; k < std::min(items.size(), row + columns); ++k) {
      const bool more = k + 1 < std::min(items.size(), row + columns);
      const std::string item = items[k] + (more && options.comma ? "," : "");
      line += item;
      if (more) line.append(width - text_width(item), ' ');
    }
    add_line(out, line, flush);
  }
}

// The lanes that a line is for, and the lowest of them as its own.
TemplateScope line_scope(const ParsedLine& line, const TemplateView& view) {
  const LaneMask all = view.lanes();
  const LaneMask lanes = line.options.when.lanes_where({view, all == 0 ? 0 : first_lane(all), all, nullptr});
  return {view, lanes == 0 ? 0 : first_lane(lanes), lanes, nullptr};
}

LineOptions with_base(LineOptions options, const LineOptions& base) {
  if (!options.head && !options.tail) options.head = base.head, options.tail = base.tail;
  if (options.columns == 1) options.columns = base.columns, options.comma = options.comma || base.comma;
  if (options.dots == "...") options.dots = base.dots, options.dots_when = base.dots_when;
  options.flush = options.flush || base.flush;
  return options;
}

}  // namespace

std::vector<ParsedPhase> parse_phases(const std::vector<TracePhase>& phases, Language language,
                                      const Translations* translations) {
  const auto in_language = [&](std::string_view text) {
    return translations != nullptr ? translations->of(text) : text;
  };
  const auto options_of = [&](std::string_view words) {
    LineOptions options = parse_line_options(words);
    options.dots = std::string(in_language(options.dots));
    return options;
  };
  std::vector<ParsedPhase> parsed;
  for (const TracePhase& phase : phases) {
    ParsedPhase& added = parsed.emplace_back();
    added.title = Template(in_language(phase.title), language);
    added.options = options_of(phase.options);
    for (const TraceDraw& line : phase.lines)
      added.lines.push_back({Template(in_language(line.text), language), options_of(line.options)});
  }
  return parsed;
}

void draw_lane_lines(std::string& out, const LaneLines& lines, const LineOptions& own, const LineOptions& base,
                     const TemplateView& view) {
  const LineOptions options = with_base(own, base);
  LaneMask lanes = 0;
  for (const auto& [lane, text] : lines) lanes |= lane_bit(lane);
  const unsigned total = count_lanes(lanes), head = options.head.value_or(0), tail = options.tail.value_or(0);
  const bool elided = (options.head || options.tail) && total > head + tail;
  std::vector<std::string> front, back;
  for (const auto& [lane, text] : lines) {
    const std::size_t place = count_lanes(lanes & (lane_bit(lane) - 1));
    if (!elided || place < head) front.push_back(text);
    else if (place >= total - tail) back.push_back(text);
  }
  add_rows(out, front, options, options.flush);
  if (!elided) return;
  const bool own_dots = options.dots_when.empty() || options.dots_when.holds({view, first_lane(lanes), lanes, nullptr});
  add_line(out, own_dots ? options.dots : "...", options.flush);
  add_rows(out, back, options, options.flush);
}

void draw_lines(std::string& out, const std::vector<const ParsedLine*>& lines, const LineOptions& base,
                const TemplateView& view) {
  for (std::size_t k = 0; k < lines.size();) {
    if (lines[k]->options.once) {
      const ParsedLine& line = *lines[k++];
      const TemplateScope scope = line_scope(line, view);
      if (scope.lanes == 0) continue;
      if (line.options.gap) out += '\n';
      add_line(out, line.text.fill(scope, line.options.head, line.options.tail), line.options.flush || base.flush);
      continue;
    }
    const std::size_t first = k;
    while (k < lines.size() && !lines[k]->options.once) ++k;
    LaneLines drawn;
    std::vector<TemplateScope> scopes;
    for (std::size_t n = first; n < k; ++n) scopes.push_back(line_scope(*lines[n], view));
    for_each_lane(view.lanes(), [&](unsigned lane) {
      for (std::size_t n = first; n < k; ++n) {
        const TemplateScope& scope = scopes[n - first];
        if (has_lane(scope.lanes, lane))
          drawn.emplace_back(lane, lines[n]->text.fill({view, lane, view.lanes(), nullptr}));
      }
    });
    if (lines[first]->options.gap && !drawn.empty()) out += '\n';
    draw_lane_lines(out, drawn, lines[first]->options, base, view);
  }
}

}  // namespace warpsim
