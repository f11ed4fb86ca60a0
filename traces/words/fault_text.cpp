// Saying a message in Korean, and reading one back from its English; see fault_text.h.
#include "traces/words/fault_text.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "traces/words/korean.h"

namespace warpsim {
namespace {

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

Message read_back(std::string_view english, int depth);

// The first row that fits, of those of several sentences or of the others.
std::optional<Message> row_that_fits(std::string_view english, bool several, int depth) {
  for (const MessageRow& row : all_messages()) {
    if ((row.english.find(kBetweenSentences) != std::string_view::npos) != several) continue;
    const std::optional<std::vector<std::string_view>> found = match(row.english, english);
    if (!found) continue;
    Message message(row.id);
    for (const std::string_view part : *found) message.parts.push_back(read_back(part, depth + 1));
    return message;
  }
  return std::nullopt;
}

Message read_back(std::string_view english, int depth) {
  if (depth > kMostDepth || english.size() > kLongest) return english;
  std::vector<Message> sentences;
  for (;;) {
    const std::size_t next = english.find(kBetweenSentences);
    std::optional<Message> row = row_that_fits(english, next != std::string_view::npos, depth);
    const bool is_last = row || next == std::string_view::npos;
    if (!row) row = next == std::string_view::npos ? Message(english) : read_back(english.substr(0, next), depth + 1);
    sentences.push_back(std::move(*row));
    if (is_last) break;
    english.remove_prefix(next + kBetweenSentences.size());
  }
  return sentences.size() == 1 ? std::move(sentences.front()) : Message(MessageId::Sentences, std::move(sentences));
}

void append_particle(std::string& out, std::string_view marker) { out += particle(out, marker); }

}  // namespace

Message message_from(std::string_view english) { return read_back(english, 0); }

std::string fault_text(const Message& message, Language language) {
  if (language == Language::English) return english(message);
  std::string out;
  append_message(out, message.id == MessageId::Text ? message_from(message.text) : message, &MessageRow::korean,
                 append_particle);
  return out;
}

}  // namespace warpsim
