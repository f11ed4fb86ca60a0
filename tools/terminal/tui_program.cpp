#include "tools/terminal/tui_program.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "isa/text/word.h"
#include "tools/debugger/stepper_words.h"

namespace warpsim::tools {
namespace {

// "step:" of "step: .phase …"; "" where the line begins otherwise.
std::string_view label_of(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '_')) ++end;
  return end > 0 && end < line.size() && line[end] == ':' ? line.substr(0, end + 1) : std::string_view();
}

}  // namespace

std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t';
    if (blank && !out.empty() && out.back() == ' ') continue;
    out += blank ? ' ' : c;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::vector<ProgramLine> program_lines(const TraceHead& head, const NumberedLines& numbered, std::uint32_t near) {
  std::vector<ProgramLine> shown;
  if (numbered.has_sources()) {
    const std::uint32_t line = std::max(near, 1U);
    for (std::uint32_t k = numbered.first_beside(line); k <= numbered.last_beside(line); ++k)
      shown.push_back({k, " " + std::string(numbered.text(k))});
    return shown;
  }
  std::set<std::uint32_t> executed;
  for (const TraceInsn& insn : head.code) executed.insert(insn.line);
  const std::vector<std::string_view> lines = lines_of(head.text);
  bool is_case = false;  // its rules are no labels
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const std::string_view line = trimmed(lines[k]);
    if (line.starts_with('.')) is_case = line.starts_with(".case");
    const auto number = static_cast<std::uint32_t>(k + 1);
    const std::string_view label = label_of(line);
    if (executed.count(number) > 0) shown.push_back({number, (label.empty() ? " " : "") + squeezed(line)});
    else if (!label.empty() && !is_case) shown.push_back({number, std::string(label)});
  }
  if (!shown.empty()) return shown;
  for (const TraceInsn& insn : head.code)  // a trace need not hold its program
    if (shown.empty() || insn.line > shown.back().line) shown.push_back({insn.line, " " + squeezed(insn.text)});
  return shown;
}

std::size_t place_of_line(const std::vector<ProgramLine>& lines, std::uint32_t line) {
  const auto at = std::lower_bound(lines.begin(), lines.end(), line,
                                   [](const ProgramLine& one, std::uint32_t wanted) { return one.line < wanted; });
  return std::min(static_cast<std::size_t>(at - lines.begin()), lines.empty() ? 0 : lines.size() - 1);
}

}  // namespace warpsim::tools
