// Source text → tokens, one at a time.
//
// Shapes: tokens are views into the text. A newline is a token, because statements end there. Dots belong to words, so
//         that `setp.ge.u32`, `%tid.x` and `threadIdx.x` are one token each; a word that begins with a dot is a
//         directive or a type.
// Units:  see source.h.
// Errors: reported into Diagnostics (A001 … A004); the lexer then continues after the fault.
// Source: PTX ISA 9.0, sections 4.1–4.4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/text/diagnostic.h"
#include "isa/text/source.h"

namespace warpsim {

struct Token {
  enum class Kind : std::uint8_t {
    End,
    Newline,
    Word,        // max.f32, input, $L__BB0_2
    DotWord,     // .phase, .f32
    Register,    // %max_val, %tid.x
    Integer,     // number
    Float,       // number: the bits of an f64
    FloatBits,   // 0f3F800000: number; the type is f32
    DoubleBits,  // 0d…: number; the type is f64
    String,      // text holds the quotes too; Lexer::unquoted() gives what it says
    Punct,       // one character, or << or >>
  };
  Kind kind = Kind::End;
  std::string_view text;
  std::uint64_t number = 0;
  SourceRange where;
  std::size_t offset = 0;  // bytes from the start of the text

  bool is(Kind k) const { return kind == k; }
  bool is(std::string_view punctuation) const { return kind == Kind::Punct && text == punctuation; }
  bool ends_statement() const { return kind == Kind::End || kind == Kind::Newline || is(";"); }
};

class Lexer {
 public:
  Lexer(std::string_view text, Diagnostics& diagnostics);

  const Token& peek();
  Token next();
  // Behind the token that next() gave last: where something is missing. Length 0.
  SourceRange behind() const { return behind_; }
  // Text from the next token up to (not with) one of `stops`, a newline or a comment outside brackets; blanks at its
  // ends are cut. Brackets may span lines. Comments inside become blanks, so that offsets stay true.
  struct Raw {
    std::string text;
    SourceRange where;
    bool closed = true;  // every bracket that opens in it is closed in it
  };
  Raw raw_until(std::string_view stops);
  // The rest of the line up to a comment, blanks and a last semicolon cut.
  Raw rest_of_line();
  // Goes on at the end of this statement.
  void skip_statement();
  // The line of the last fault that the lexer has reported; 0: none.
  std::uint32_t fault_line() const { return fault_line_; }
  // The comment that opens the text, without slashes.
  static std::string opening_comment(std::string_view text);
  static std::string unquoted(const Token& string);

 private:
  Token lex();
  void skip_blanks();
  void skip_block_comment();
  Token finish(Token::Kind kind, std::size_t begin);
  Token lex_number(std::size_t begin);
  Token lex_bits(std::size_t begin, std::size_t digits, Token::Kind kind);
  Token lex_float(std::size_t begin);
  Token lex_string(std::size_t begin);
  void fault(std::string code, SourceRange where, std::string message, Hint hint);
  char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  bool looking_at(std::string_view word) const { return text_.substr(pos_).starts_with(word); }
  SourceRange range(std::size_t begin, std::size_t end) const;
  void rewind_to_peeked();

  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t pos_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_begin_ = 0;
  std::uint32_t fault_line_ = 0;
  bool has_peeked_ = false;
  Token peeked_;
  SourceRange behind_;
};

}  // namespace warpsim
