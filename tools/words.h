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

// Without what a terminal would obey: control characters but line ends and tabs become "?". A trace may come from
// anybody.
inline std::string for_terminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t k = 0; k < text.size(); ++k) {
    const unsigned char c = static_cast<unsigned char>(text[k]);
    const unsigned char next = k + 1 < text.size() ? static_cast<unsigned char>(text[k + 1]) : 0;
    const bool is_c1 = c == 0xC2 && next >= 0x80 && next < 0xA0;  // U+0080 to U+009F
    if (is_c1) ++k;
    out += is_c1 || c == 0x7F || (c < 0x20 && c != '\n' && c != '\t') ? '?' : text[k];
  }
  return out;
}

inline std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + in_ticks(word);
  return text;
}

// Filled with blanks up to `width`, behind and in front.
inline std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}
inline std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
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
