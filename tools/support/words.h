// Pieces of messages, and the numbers that people write.
//
// Errors: none.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/text/columns.h"

namespace warpsim::tools {

inline std::string in_ticks(std::string_view word) { return "`" + std::string(word) + "`"; }

// A whole number in digits, as a whole.
inline std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "did you mean", if `near` is a word; else what else there is to try.
inline std::string hint_for(const std::string& near, std::string otherwise) {
  return near.empty() ? otherwise : "did you mean " + in_ticks(near) + "?";
}

// The same of several: the first ones, and how many more.
inline std::string hint_for(const std::vector<std::string>& near, std::string otherwise) {
  constexpr std::size_t kMost = 4;
  if (near.empty()) return otherwise;
  const std::size_t shown = near.size() <= kMost ? near.size() : kMost - 1;
  std::string text = "did you mean ";
  for (std::size_t k = 0; k < shown; ++k)
    text += (k == 0 ? "" : k + 1 == near.size() ? " or " : ", ") + in_ticks(near[k]);
  return text + (shown == near.size() ? "?" : " or one of " + std::to_string(near.size() - shown) + " others?");
}

inline std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + in_ticks(word);
  return text;
}

// Padded with blanks to `width`, after and before.
inline std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}
inline std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

// Wrapped; each line has its end.
inline std::string paragraph(std::string_view text, std::size_t width) {
  std::string out;
  for (const std::string& line : wrapped_at(text, width)) out += line + "\n";
  return out;
}

// "4, 8" and "4, 8 lanes".
inline std::string list_text(const std::vector<unsigned>& counts) {
  std::string text;
  for (const unsigned count : counts) text += (text.empty() ? "" : ", ") + std::to_string(count);
  return text;
}
inline std::string lanes_text(const std::vector<unsigned>& counts) {
  return list_text(counts) + (counts.size() == 1 && counts.front() == 1 ? " lane" : " lanes");
}

}  // namespace warpsim::tools
