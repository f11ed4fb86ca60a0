// Saying a sentence in Korean, part by part; see fault_text.h.
#include "traces/words/fault_text.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "traces/words/fault_text_tables.h"
#include "traces/words/finding_hints.h"
#include "traces/words/korean.h"

namespace warpsim {
namespace {

constexpr std::string_view kNext = "; ";  // between sentences of one text
// The longest texts say much less; what a hostile trace holds stays as it is.
constexpr int kMostDepth = 16;
constexpr std::size_t kLongest = 8192;

// What stands at {0}, {1} …
std::optional<std::vector<std::string_view>> match(std::string_view pattern, std::string_view text) {
  std::vector<std::string_view> found;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    const std::string_view before = pattern.substr(0, open);
    if (!text.starts_with(before)) return std::nullopt;
    text.remove_prefix(before.size());
    if (open == std::string_view::npos) break;
    pattern.remove_prefix(open + 3);  // "{0}"
    const std::string_view next = pattern.substr(0, pattern.find('{'));
    const std::size_t end =
        next.empty() || next == pattern ? text.size() - std::min(text.size(), next.size()) : text.find(next);
    if (end == std::string_view::npos || !text.substr(end).starts_with(next) || end == 0) return std::nullopt;
    found.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  if (!text.empty()) return std::nullopt;
  return found;
}

std::string korean(std::string_view english, int depth);

std::string filled(std::string_view pattern, const std::vector<std::string_view>& found, int depth) {
  std::string out;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    out += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = pattern.find('}', open);
    const std::string_view inside = pattern.substr(open + 1, close - open - 1);
    if (is_particle_marker(inside)) out += particle(out, inside);
    else out += korean(found[static_cast<std::size_t>(inside[0] - '0')], depth + 1);
    pattern.remove_prefix(close + 1);
  }
  return out;
}

// The first sentence that fits, of those of several parts or of the others.
std::optional<std::string> find_sentence(std::string_view english, bool several, int depth) {
  const std::span<const FaultSentence> tables[] = {trap_sentences(), check_sentences(), advice_sentences(),
                                                   answer_sentences(), part_sentences()};
  for (const std::span<const FaultSentence>& table : tables) {
    for (const FaultSentence& sentence : table) {
      if ((sentence.english.find(kNext) != std::string_view::npos) != several) continue;
      if (const auto found = match(sentence.english, english)) return filled(sentence.korean, *found, depth);
    }
  }
  return std::nullopt;
}

std::string korean(std::string_view english, int depth) {
  if (depth > kMostDepth || english.size() > kLongest) return std::string(english);
  for (const FindingInfo& row : all_findings())
    if (row.hint == english) return std::string(hint_in_korean(row.finding));
  std::string out;
  for (std::size_t next; (next = english.find(kNext)) != std::string_view::npos;
       english.remove_prefix(next + kNext.size())) {
    if (const std::optional<std::string> whole = find_sentence(english, true, depth)) return out + *whole;
    out += korean(english.substr(0, next), depth + 1) + std::string(kNext);
  }
  return out + find_sentence(english, false, depth).value_or(std::string(english));
}

}  // namespace

std::string fault_text(std::string_view english, Language language) {
  return language == Language::Korean ? korean(english, 0) : std::string(english);
}

}  // namespace warpsim
