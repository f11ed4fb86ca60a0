// PTX text → tokens, one at a time.
//
// Shapes: tokens are views into the text. Line ends are blanks, as comments are. A word keeps the dots in it, so that
//         `ld.global.nc.f32`, `%tid.x` and `.shared::cta` are one token each.
// Units:  see source.h.
// Errors: reported into Diagnostics (P001 … P004); the lexer then goes on behind the fault.
// Source: PTX ISA 9.0, 4.1 to 4.5.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/text/diagnostic.h"
#include "isa/text/source.h"

namespace warpsim::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    End,
    Word,     // ld.global.f32, %r1, $L__BB0_2, _
    DotWord,  // .reg, .f32
    Integer,  // number
    F32,      // 0f3F800000: number
    F64,      // 0d…, 1.5: number
    String,   // text, without the quotes
    Punct,    // one character, or && || == != <= >= << >>
  };
  Kind kind = Kind::End;
  std::string_view text;
  std::uint64_t number = 0;
  bool is_unsigned = false;  // of an integer
  SourceRange where;
  bool is(Kind k) const { return kind == k; }
  bool is(std::string_view punctuation) const { return kind == Kind::Punct && text == punctuation; }
  bool is_word(std::string_view word) const { return (kind == Kind::Word || kind == Kind::DotWord) && text == word; }
};

class Lexer {
 public:
  // `file` is the text's number among those that are linked.
  Lexer(std::string_view text, Diagnostics& diagnostics, std::uint32_t file = 0)
      : text_(text), diagnostics_(diagnostics), file_(file) {
    advance();
  }
  const Token& peek() const { return halted_ ? end_ : next_; }
  Token take() {
    const Token taken = peek();
    if (!halted_) behind_ = {taken.where.line, taken.where.column + taken.where.length, 0, file_};
    if (!halted_) advance();
    return taken;
  }
  // Behind the token that was taken last: where something is missing. Length 0.
  SourceRange behind() const { return behind_; }
  // Until go_on() there are no tokens: the text seems to end.
  void halt() { halted_ = true; }
  void go_on() { halted_ = false; }
  bool is_halted() const { return halted_; }
  static constexpr std::size_t kMostErrors = 20;  // behind them the text ends
  // The rest of the line, for lines that are not PTX's own.
  void skip_line();

 private:
  void advance();
  void skip_blanks();
  void number();
  void decimal();
  void bits_of_float(Token::Kind kind, std::size_t digits);
  void integer(std::size_t from, unsigned base, std::string_view name);
  void string();
  void word(Token::Kind kind);
  char at(std::size_t offset = 0) const { return offset < text_.size() - at_ ? text_[at_ + offset] : '\0'; }
  void finish(Token::Kind kind, std::size_t length);
  void fault(const char* code, std::size_t length, std::string message, std::string hint = "");

  std::string_view text_;
  Diagnostics& diagnostics_;
  std::uint32_t file_;
  std::size_t at_ = 0, line_begin_ = 0;
  std::uint32_t line_ = 1;
  bool halted_ = false;
  SourceRange behind_;
  Token next_, end_;  // end_: what is seen while halted
};

}  // namespace warpsim::ptx
