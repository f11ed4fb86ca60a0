// Fences that ask for a diagram; see fences.h.
#include "tools/book/fences.h"

#include <algorithm>
#include <optional>

namespace warpsim::tools {

namespace {

constexpr std::string_view kWord = "warp-sim", kBlanks = " \t";
constexpr std::size_t kLeastMarks = 3;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks), last = text.find_last_not_of(kBlanks);
  return first == std::string_view::npos ? "" : text.substr(first, last - first + 1);
}

// The marks that a line begins with: which, how many, and what stands behind them.
struct Marks {
  std::size_t indent, count;
  char mark;
  std::string_view info;
};
std::optional<Marks> marks_of(std::string_view line) {
  const std::size_t indent = std::min(line.find_first_not_of(kBlanks), line.size());
  if (indent == line.size() || (line[indent] != '`' && line[indent] != '~')) return std::nullopt;
  const std::size_t end = std::min(line.find_first_not_of(line[indent], indent), line.size());
  if (end - indent < kLeastMarks) return std::nullopt;
  return Marks{indent, end - indent, line[indent], trimmed(line.substr(end))};
}

bool opens(const Marks& marks) { return marks.mark != '`' || marks.info.find('`') == std::string_view::npos; }
bool closes(const Marks& marks, const Marks& opening) {
  return marks.mark == opening.mark && marks.count >= opening.count && marks.info.empty();
}

// A line of a fence without the blanks that its first line has, too.
std::string_view without_indent(std::string_view line, std::size_t indent) {
  const std::size_t blanks = std::min({line.find_first_not_of(kBlanks), line.size(), indent});
  return line.substr(blanks);
}

bool asks_for_diagram(std::string_view info) {
  return info.starts_with(kWord) && (info.size() == kWord.size() || kBlanks.find(info[kWord.size()]) != kBlanks.npos);
}

}  // namespace

std::vector<Fence> diagram_fences(std::string_view markdown) {
  std::vector<Fence> fences;
  std::optional<Marks> open;
  bool wanted = false;
  std::size_t number = 0;
  for (std::size_t at = 0; at < markdown.size();) {
    const std::size_t end = std::min(markdown.find('\n', at), markdown.size() - 1) + 1;
    std::string_view line = markdown.substr(at, end - at);
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
    const std::optional<Marks> marks = marks_of(line);
    ++number;
    if (!open && marks && opens(*marks)) {
      open = marks;
      wanted = asks_for_diagram(marks->info);
      if (wanted)
        fences.push_back({at, end, number, std::string(line.substr(0, marks->indent)),
                          std::string(trimmed(marks->info.substr(kWord.size()))), ""});
    } else if (open) {
      const bool last = marks && closes(*marks, *open);
      if (wanted) fences.back().end = end;
      if (wanted && !last) fences.back().body += std::string(without_indent(line, open->indent)) + "\n";
      if (last) open.reset();
    }
    at = end;
  }
  return fences;
}

}  // namespace warpsim::tools
