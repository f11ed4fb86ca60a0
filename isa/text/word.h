// Which characters a word of a program consists of.
//
// Shapes: pure functions of one character of ASCII.
// Errors: none.
// Source: PTX ISA 9.0, section 4.3: identifiers.
#pragma once

namespace warpsim {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
constexpr bool is_word(char c) { return is_word_start(c) || is_digit(c); }

}  // namespace warpsim
