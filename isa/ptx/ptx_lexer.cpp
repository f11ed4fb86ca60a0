#include "isa/ptx/ptx_lexer.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "isa/text/number_text.h"
#include "isa/text/word.h"

namespace warpsim::ptx {
namespace {

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
unsigned digit_of(char c) { return static_cast<unsigned>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10); }

constexpr std::string_view kTwoCharacters[] = {"&&", "||", "==", "!=", "<=", ">=", "<<", ">>"};
constexpr std::string_view kOneCharacter = ",;:()[]{}<>=+-*/%!~&|^?@";

}  // namespace

void Lexer::fault(const char* code, std::size_t length, std::string message, std::string hint) {
  const SourceRange where{line_, static_cast<std::uint32_t>(at_ - line_begin_ + 1), static_cast<std::uint32_t>(length)};
  diagnostics_.error(code, where, std::move(message), std::move(hint));
}

void Lexer::skip_line() {
  at_ = std::min(text_.find('\n', at_), text_.size());
  advance();
}

void Lexer::skip_blanks() {
  for (;;) {
    const char c = at();
    if (c == '\n') {
      ++line_;
      line_begin_ = ++at_;
    } else if (is_blank(c) && at_ < text_.size()) {
      ++at_;
    } else if (c == '/' && at(1) == '/') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '/' && at(1) == '*') {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos)
        fault("P002", 2, "a comment that begins here does not end", "close it with */");
      const std::size_t stop = end == std::string_view::npos ? text_.size() : end + 2;
      for (; at_ < stop; ++at_) {
        if (text_[at_] != '\n') continue;
        ++line_;
        line_begin_ = at_ + 1;
      }
    } else {
      return;
    }
  }
}

void Lexer::finish(Token::Kind kind, std::size_t length) {
  next_.kind = kind;
  next_.text = text_.substr(at_, length);
  next_.where.length = static_cast<std::uint32_t>(length);
  at_ += length;
}

void Lexer::advance() {
  for (;;) {
    skip_blanks();
    next_ = {};
    next_.where = {line_, static_cast<std::uint32_t>(at_ - line_begin_ + 1), 1, file_};
    if (at_ >= text_.size() || diagnostics_.list.size() >= kMostErrors) return;
    const char c = at();
    if (is_digit(c)) return number();
    if (is_word_start(c) || (c == '%' && is_word(at(1)))) return word(Token::Kind::Word);
    if (c == '.' && is_digit(at(1))) return number();
    if (c == '.' && is_word(at(1))) return word(Token::Kind::DotWord);
    if (c == '"') return string();
    for (const std::string_view two : kTwoCharacters)
      if (text_.substr(at_, 2) == two) return finish(Token::Kind::Punct, 2);
    if (kOneCharacter.find(c) != std::string_view::npos) return finish(Token::Kind::Punct, 1);
    std::size_t length = 1;  // of one character of UTF-8
    while (at_ + length < text_.size() && (static_cast<unsigned char>(text_[at_ + length]) & 0xc0) == 0x80) ++length;
    fault("P001", length, quoted(text_.substr(at_, length)) + " is no part of PTX outside comments and strings");
    at_ += length;
  }
}

// Dots and `::` belong to it, and behind a dot digits may stand: tex.2d. Each directive is a word of its own.
void Lexer::word(Token::Kind kind) {
  std::size_t length = 1;
  for (;;) {
    if (is_word(at(length))) ++length;
    else if (kind == Token::Kind::Word && at(length) == '.' && is_word(at(length + 1))) length += 2;
    else if (at(length) == ':' && at(length + 1) == ':' && is_word(at(length + 2))) length += 3;
    else break;
  }
  finish(kind, length);
}

void Lexer::string() {
  const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
  if (end == std::string_view::npos || text_[end] == '\n') {
    fault("P003", 1, "a string that begins here does not end on its line", "close it with \"");
    const std::size_t stop = std::min(end, text_.size());
    return finish(Token::Kind::String, stop - at_);
  }
  const std::size_t length = end - at_ + 1;
  finish(Token::Kind::String, length);
  next_.text = next_.text.substr(1, length - 2);
}

void Lexer::bits_of_float(Token::Kind kind, std::size_t digits) {
  std::size_t length = 2;
  while (is_hex(at(length))) {
    next_.number = next_.number << 4 | digit_of(at(length));
    ++length;
  }
  if (length != digits + 2)
    fault("P004", length,
          "a float as bits has " + std::to_string(digits) + " hexadecimal digits, not " + std::to_string(length - 2));
  finish(kind, length);
}

void Lexer::integer(std::size_t from, unsigned base, std::string_view name) {
  std::size_t length = from;
  bool fits = true;
  for (; is_hex(at(length)) && digit_of(at(length)) < base; ++length) {
    const unsigned digit = digit_of(at(length));
    fits = fits && next_.number <= (~std::uint64_t{0} - digit) / base;
    next_.number = next_.number * base + digit;
  }
  const bool has_digits = length != from || from == 0;
  next_.is_unsigned = at(length) == 'U' || (next_.number >> 63) != 0;
  if (at(length) == 'U') ++length;
  if (is_word(at(length))) {
    std::size_t end = length;
    while (is_word(at(end))) ++end;
    fault("P004", end, quoted(text_.substr(at_, end)) + " is no " + std::string(name) + " number");
    length = end;
  } else if (!has_digits) {
    fault("P004", length, "there is no digit of a " + std::string(name) + " number");
  } else if (!fits) {
    fault("P004", length, "an integer has at most 64 bits");
  }
  finish(Token::Kind::Integer, length);
}

// A number with a point or an exponent, else an integer.
void Lexer::decimal() {
  std::size_t length = 0;
  while (is_digit(at(length))) ++length;
  const std::size_t whole = length;
  if (at(length) == '.') {
    ++length;
    while (is_digit(at(length))) ++length;
  }
  if ((at(length) | 0x20) == 'e') {
    std::size_t behind = length + 1;
    if (at(behind) == '+' || at(behind) == '-') ++behind;
    if (is_digit(at(behind))) {
      while (is_digit(at(behind))) ++behind;
      length = behind;
    }
  }
  if (length == whole)
    return integer(0, at() == '0' && whole > 1 ? 8 : 10, at() == '0' && whole > 1 ? "octal" : "decimal");
  std::string digits(text_.substr(at_, length));
  if (digits.front() == '.') digits.insert(0, "0");
  if (const std::size_t point = digits.find('.'); point != std::string::npos && !is_digit(digits[point + 1]))
    digits.insert(point + 1, "0");
  if (const std::optional<double> value = read_double(digits)) next_.number = __builtin_bit_cast(std::uint64_t, *value);
  else fault("P004", length, quoted(text_.substr(at_, length)) + " is no number");
  finish(Token::Kind::F64, length);
}

void Lexer::number() {
  if (at() == '0') {
    switch (at(1)) {
      case 'x':
      case 'X': return integer(2, 16, "hexadecimal");
      case 'b':
      case 'B': return integer(2, 2, "binary");
      case 'f':
      case 'F': return bits_of_float(Token::Kind::F32, 8);
      case 'd':
      case 'D': return bits_of_float(Token::Kind::F64, 16);
      default: break;
    }
  }
  decimal();
}

}  // namespace warpsim::ptx
