// Source text → tokens.
//
// Shapes: one cursor over the text; tokens are read on demand, so that a text of any size costs no memory.
// Errors: A001 unexpected character, A002 string without its end, A003 comment without its end, A004 bad number.
// Source: PTX ISA 9.0, sections 4.1–4.5.
#include "isa/assembly/lexer.h"

#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "isa/text/number_text.h"
#include "isa/text/word.h"

namespace warpsim {
namespace {

constexpr std::size_t kMostMessages = 50;

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Any base up to 16; nothing if a digit does not belong to the base or the number needs more than 64 bits.
std::optional<std::uint64_t> read_integer(std::string_view digits, unsigned base) {
  std::uint64_t value = 0;
  for (const char c : digits) {
    const int digit = hex_digit(c);
    if (digit < 0 || static_cast<unsigned>(digit) >= base) return std::nullopt;
    if (value > (~std::uint64_t{0} - static_cast<unsigned>(digit)) / base) return std::nullopt;
    value = value * base + static_cast<unsigned>(digit);
  }
  return value;
}

// "character U+00B9", "byte 0xff": something that need not be printable.
std::string character_name(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(i < text.size() ? text[i] : 0));
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
  unsigned code = byte(0);
  if (code >= 0xc2 && code < 0xe0 && follows(1)) code = (code & 0x1fU) << 6 | (byte(1) & 0x3fU);
  else if (code >= 0xe0 && code < 0xf0 && follows(1) && follows(2))
    code = (code & 0x0fU) << 12 | (byte(1) & 0x3fU) << 6 | (byte(2) & 0x3fU);
  else if (code >= 0xf0 && code < 0xf5 && follows(1) && follows(2) && follows(3))
    code = (code & 7U) << 18 | (byte(1) & 0x3fU) << 12 | (byte(2) & 0x3fU) << 6 | (byte(3) & 0x3fU);
  else if (code >= 0x80) return std::string("byte 0x") + kHex[code >> 4] + kHex[code & 15U];
  if (code > 0x20 && code < 0x7f) return quoted(text.substr(0, 1));
  std::string digits;
  for (; code != 0 || digits.size() < 4; code >>= 4) digits.insert(digits.begin(), kHex[code & 15U]);
  return "character U+" + digits;
}

}  // namespace

void Lexer::fault(std::string code, SourceRange where, std::string message, Hint hint) {
  fault_line_ = where.line;
  diagnostics_.error(std::move(code), where, std::move(message), std::move(hint));
}

Lexer::Lexer(std::string_view text, Diagnostics& diagnostics) : text_(text), diagnostics_(diagnostics) {
  if (text_.starts_with("\xef\xbb\xbf")) pos_ = 3;  // a byte order mark
}

SourceRange Lexer::range(std::size_t begin, std::size_t end) const {
  return {line_, static_cast<std::uint32_t>(begin - line_begin_ + 1), static_cast<std::uint32_t>(end - begin)};
}

const Token& Lexer::peek() {
  if (!has_peeked_) {
    peeked_ = lex();
    has_peeked_ = true;
  }
  return peeked_;
}

Token Lexer::next() {
  const Token token = has_peeked_ ? peeked_ : lex();
  has_peeked_ = false;
  behind_ = {token.where.line, token.where.column + token.where.length, 0};
  return token;
}

// Undoes a peek, so that raw text starts where the peeked token did.
void Lexer::rewind_to_peeked() {
  if (!has_peeked_) return;
  has_peeked_ = false;
  pos_ = peeked_.offset;
  line_ = peeked_.where.line;
  line_begin_ = peeked_.offset + 1 - peeked_.where.column;
}

void Lexer::skip_block_comment() {
  const std::size_t begin = pos_;
  const SourceRange where = range(begin, begin + 2);
  pos_ += 2;
  while (pos_ < text_.size() && !looking_at("*/")) {
    if (text_[pos_] == '\n') {
      ++line_;
      line_begin_ = pos_ + 1;
    }
    ++pos_;
  }
  if (pos_ >= text_.size()) fault("A003", where, "this comment has no end", "close it with */");
  else pos_ += 2;
}

void Lexer::skip_blanks() {
  while (pos_ < text_.size()) {
    if (is_blank(text_[pos_])) ++pos_;
    else if (looking_at("/*")) skip_block_comment();
    else if (looking_at("//")) pos_ = std::min(text_.find('\n', pos_), text_.size());
    else break;
  }
}

Token Lexer::finish(Token::Kind kind, std::size_t begin) {
  Token token;
  token.kind = kind;
  token.text = text_.substr(begin, pos_ - begin);
  token.where = range(begin, pos_);
  token.offset = begin;
  return token;
}

Token Lexer::lex() {
  while (true) {
    skip_blanks();
    if (diagnostics_.list.size() > kMostMessages) pos_ = text_.size();  // no assembly, by the look of it
    const std::size_t begin = pos_;
    if (begin >= text_.size()) return finish(Token::Kind::End, begin);
    const char c = text_[begin];
    const auto take_word = [&] {
      while (true) {
        if (is_word(at(pos_)) || (at(pos_) == '.' && is_word(at(pos_ + 1)))) ++pos_;
        else if (looking_at("::") && is_word(at(pos_ + 2))) pos_ += 3;  // PTX: ld.shared::cta, ld.L2::128B
        else break;
      }
    };
    if (c == '\n') {
      ++pos_;
      const Token token = finish(Token::Kind::Newline, begin);
      ++line_;
      line_begin_ = pos_;
      return token;
    }
    if (is_digit(c) || (c == '.' && is_digit(at(begin + 1)))) return lex_number(begin);
    if (is_word_start(c) || ((c == '.' || c == '%') && is_word_start(at(begin + 1)))) {
      ++pos_;
      take_word();
      return finish(c == '.' ? Token::Kind::DotWord : c == '%' ? Token::Kind::Register : Token::Kind::Word, begin);
    }
    if (c == '"') return lex_string(begin);
    if (looking_at("<<") || looking_at(">>")) {
      pos_ += 2;
      return finish(Token::Kind::Punct, begin);
    }
    if (std::string_view(",|[](){}+-*/%&^~!@:;=<>.").find(c) != std::string_view::npos) {
      ++pos_;
      return finish(Token::Kind::Punct, begin);
    }
    while (pos_ < text_.size() &&
           (static_cast<unsigned char>(text_[pos_]) >= 0x7f ||
            (static_cast<unsigned char>(text_[pos_]) < 0x20 && text_[pos_] != '\n' && !is_blank(text_[pos_])))) {
      ++pos_;
    }
    if (pos_ == begin) ++pos_;
    fault("A001", range(begin, pos_), "unexpected " + character_name(text_.substr(begin)),
          "outside strings and comments the assembly is plain ASCII");
  }
}

Token Lexer::lex_bits(std::size_t begin, std::size_t digits, Token::Kind kind) {
  pos_ += 2;
  while (is_word(at(pos_))) ++pos_;
  Token token = finish(kind, begin);
  const std::string_view written = token.text.substr(2);
  const std::optional<std::uint64_t> value = read_integer(written, 16);
  if (written.size() != digits || !value) {
    fault("A004", token.where, quoted(token.text) + " is no exact float",
          "it takes " + std::to_string(digits) + " hexadecimal digits after " + std::string(token.text.substr(0, 2)) +
              (digits == 8 ? ": 0f3F800000 is 1.0" : ": 0d3FF0000000000000 is 1.0"));
  }
  token.number = value.value_or(0);
  return token;
}

Token Lexer::lex_float(std::size_t begin) {
  Token token = finish(Token::Kind::Float, begin);
  const std::optional<double> value = read_double(token.text);
  if (!value) fault("A004", token.where, quoted(token.text) + " is no number", "floats look like 1.0, 2.5e-3, 1e9");
  if (value && std::isinf(*value))
    fault("A004", token.where, quoted(token.text) + " is larger than any f64", "infinity is written inf");
  token.number = __builtin_bit_cast(std::uint64_t, value.value_or(0.0));
  return token;
}

Token Lexer::lex_number(std::size_t begin) {
  const char kind = static_cast<char>(at(begin) == '0' ? at(begin + 1) | 0x20 : 0);
  if (kind == 'f') return lex_bits(begin, 8, Token::Kind::FloatBits);
  if (kind == 'd') return lex_bits(begin, 16, Token::Kind::DoubleBits);
  const unsigned base = kind == 'x' ? 16 : kind == 'b' ? 2 : 10;
  bool is_float = false;
  if (base != 10) pos_ += 2;
  while (is_word(at(pos_)) || (base == 10 && at(pos_) == '.')) {
    const bool exponent = base == 10 && (at(pos_) == 'e' || at(pos_) == 'E');
    is_float = is_float || exponent || at(pos_) == '.';
    ++pos_;
    if (exponent && (at(pos_) == '+' || at(pos_) == '-')) ++pos_;
  }
  if (is_float) return lex_float(begin);
  Token token = finish(Token::Kind::Integer, begin);
  std::string_view digits = token.text.substr(base == 10 ? 0 : 2);
  if (digits.size() > 1 && (digits.back() == 'U' || digits.back() == 'u')) digits.remove_suffix(1);  // PTX's 1U
  if (base == 10 && digits.size() > 1 && digits.front() == '0') {
    fault("A004", token.where, quoted(token.text) + " begins with a zero, which PTX reads as octal",
          "integers are decimal without leading zeros, 0x… or 0b…");
    return token;
  }
  const std::optional<std::uint64_t> value = read_integer(digits, base);
  if (!value || digits.empty()) {
    const bool too_large =
        !digits.empty() && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos && base != 2;
    fault("A004", token.where,
          quoted(token.text) + (too_large && base == 16 ? " needs more than 64 bits" : " is no number of 64 bits"),
          "integers are decimal, 0x… or 0b…");
  }
  token.number = value.value_or(0);
  return token;
}

Token Lexer::lex_string(std::size_t begin) {
  ++pos_;
  while (pos_ < text_.size() && text_[pos_] != '"' && text_[pos_] != '\n') {
    if (text_[pos_] == '\\' && at(pos_ + 1) != '\n' && pos_ + 1 < text_.size()) ++pos_;
    ++pos_;
  }
  if (at(pos_) == '"') {
    ++pos_;
  } else {
    fault("A002", range(begin, pos_), "this string has no end", "close it with \" on the same line");
  }
  return finish(Token::Kind::String, begin);
}

std::string Lexer::unquoted(const Token& string) {
  std::string_view body = string.text.substr(1);
  if (body.ends_with('"')) body.remove_suffix(1);
  std::string out;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] == '\\' && i + 1 < body.size()) {
      ++i;
      out += body[i] == 'n' ? '\n' : body[i] == 't' ? '\t' : body[i];
    } else {
      out += body[i];
    }
  }
  return out;
}

Lexer::Raw Lexer::raw_until(std::string_view stops) {
  rewind_to_peeked();
  skip_blanks();
  const std::size_t begin = pos_;
  Raw raw;
  raw.where = range(begin, begin);
  std::string open;  // the brackets that wait to be closed
  while (pos_ < text_.size()) {
    const char c = text_[pos_];
    if (looking_at("//") || looking_at("/*")) {
      if (open.empty() && looking_at("//")) break;
      const std::size_t comment = pos_;
      if (looking_at("/*")) skip_block_comment();
      else pos_ = std::min(text_.find('\n', pos_), text_.size());
      for (std::size_t i = comment; i < pos_; ++i) raw.text += text_[i] == '\n' ? '\n' : ' ';
      continue;
    }
    if (open.empty() && (c == '\n' || stops.find(c) != std::string_view::npos)) break;
    if (c == '[' || c == '(') open += c == '[' ? ']' : ')';
    if (!open.empty() && c == open.back()) open.pop_back();
    if (c == '\n') {
      const std::size_t next_line = text_.find_first_not_of(" \t\r", pos_ + 1);
      if (next_line != std::string_view::npos && text_[next_line] == '.' && is_word_start(at(next_line + 1))) break;
      ++line_;
      line_begin_ = pos_ + 1;
    }
    raw.text += c;
    ++pos_;
  }
  raw.closed = open.empty();
  raw.text = std::string(trimmed(raw.text));
  const std::size_t first_line = std::min(raw.text.find('\n'), raw.text.size());
  raw.where.length = static_cast<std::uint32_t>(std::max<std::size_t>(1, first_line));
  return raw;
}

Lexer::Raw Lexer::rest_of_line() {
  rewind_to_peeked();
  while (is_blank(at(pos_))) ++pos_;
  const std::size_t begin = pos_;
  Raw raw;
  bool in_string = false;
  while (pos_ < text_.size() && text_[pos_] != '\n') {
    if (!in_string && (looking_at("//") || looking_at("/*"))) break;
    if (text_[pos_] == '"') in_string = !in_string;
    raw.text += text_[pos_++];
  }
  std::string_view body = trimmed(raw.text);
  if (body.ends_with(';')) body = trimmed(body.substr(0, body.size() - 1));
  raw.text = std::string(body);
  raw.where = range(begin, begin + std::max<std::size_t>(1, raw.text.size()));
  return raw;
}

void Lexer::skip_statement() {
  while (!peek().ends_statement()) next();
}

std::string Lexer::opening_comment(std::string_view text) {
  std::string out;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const bool block = text.starts_with("/*");
  if (block) text = text.substr(2, std::min(text.find("*/"), text.size()) - 2);
  while (!text.empty()) {
    const std::size_t newline = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, newline);
    text.remove_prefix(std::min(newline + 1, text.size()));
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    if (block) {
      line = trimmed(line);
      if (line.starts_with('*')) line.remove_prefix(1);
    } else {
      if (!line.starts_with("//")) break;
      line.remove_prefix(2);
    }
    if (line.starts_with(' ')) line.remove_prefix(1);
    out.append(line).append(1, '\n');
  }
  while (out.ends_with('\n')) out.pop_back();
  while (out.starts_with('\n')) out.erase(0, 1);
  return out;
}

}  // namespace warpsim
