// Which characters a word of a program consists of, and which stand between words.
//
// Shapes: pure functions of characters of ASCII.
// Errors: none.
// Source: PTX ISA 9.0, sections 4.1 (white space) and 4.3 (identifiers).
#pragma once

#include <string_view>

namespace warpsim {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
constexpr bool is_word(char c) { return is_word_start(c) || is_digit(c); }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

// Without the blanks and line ends around it.
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (is_blank(text.front()) || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

}  // namespace warpsim
