// The text that a learner begins with: what task.h says of it.
//
// A catalogue's text explains itself in comments and names its sources. What is left for the learner has the task as
// its comment, and no line that gives the solution away: neither the header, nor what a case must find.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/text/lines.h"
#include "isa/text/word.h"
#include "tools/grade/source_lines.h"
#include "tools/grade/task.h"
#include "tools/support/screen.h"

namespace warpsim::tools {

namespace {

constexpr std::size_t kCommentWidth = 96;
constexpr std::string_view kHere = "        // Your instructions.\n        exit\n\n";
constexpr std::string_view kMissing = "        // A line is missing here.";

bool begins_with_any(std::string_view line, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    if (trimmed(line).starts_with(word)) return true;
  return false;
}

// Without comments of their own lines, without what names sources, and without what must be found.
std::vector<std::string_view> plain_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (const std::string_view line : lines_of(text)) {
    if (begins_with_any(line, {"//", ".document", ".section", ".puzzle", ".twin ", "finding "})) continue;
    if (trimmed(line).empty() && (lines.empty() || trimmed(lines.back()).empty())) continue;
    lines.push_back(line);
  }
  return lines;
}

// The kernel's line and the cases: no instruction, no diagram.
std::string without_instructions(const std::vector<std::string_view>& lines) {
  std::string text;
  bool in_code = false;
  for (const std::string_view line : lines) {
    if (begins_with_any(line, {".case"})) in_code = false;
    if (in_code) continue;
    text.append(line).append("\n");
    if (begins_with_any(line, {".kernel"})) {
      in_code = true;
      text.append("\n").append(kHere);
    }
  }
  return text;
}

}  // namespace

std::optional<std::string> start_of(Session& session, const Task& task) {
  const CatalogueEntry* const entry = entry_named(session, task.start.empty() ? task.program : task.start);
  if (entry == nullptr) return std::nullopt;
  const TaskWords& words = task.in(session.options.language);
  std::string text = "// " + words.title + "\n//\n";
  for (const std::string& line : wrapped_at(words.text, kCommentWidth)) text += "// " + line + "\n";
  const std::vector<std::string_view> lines = plain_lines(entry->text);
  if (task.kind == TaskKind::Write) return text + without_instructions(lines);
  for (const std::string_view line : lines) {
    const bool is_missing = !task.missing.empty() && instruction_in(line) == task.missing;
    text.append(is_missing ? kMissing : line).append("\n");
  }
  return text;
}

}  // namespace warpsim::tools
