// Cutting a rule into tokens.
//
// Units:  offsets count bytes.
// Errors: the first bad character ends it.
#include "isa/cases/case_lexer.h"

#include <algorithm>
#include <string>

#include "isa/text/word.h"

namespace warpsim {
namespace {

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::variant<std::vector<RuleToken>, CaseError> run() {
    std::vector<RuleToken> tokens;
    while (skip_blank(), at_ < text_.size()) {
      const std::size_t from = at_;
      RuleToken::Kind kind = RuleToken::Kind::Mark;
      if (is_digit(text_[at_]) || (text_[at_] == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
        kind = RuleToken::Kind::Number;
        skip_number();
      } else if (is_word_start(text_[at_])) {
        kind = RuleToken::Kind::Word;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
      } else if (!skip_mark()) {
        return CaseError{"'" + text_piece(at_) + "' has no meaning in a rule", at_};
      }
      tokens.push_back({kind, text_.substr(from, at_ - from), from});
    }
    tokens.push_back({RuleToken::Kind::End, {}, text_.size()});
    return tokens;
  }

 private:
  // One character as a reader sees it: all bytes of a UTF-8 sequence.
  std::string text_piece(std::size_t at) const {
    std::size_t end = at + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
    return std::string(text_.substr(at, end - at));
  }

  void skip_blank() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r') {
        ++at_;
      } else if (rest.substr(0, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (rest.substr(0, 2) == "/*") {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  // Digits, letters and points; and a sign after a decimal number's e.
  void skip_number() {
    const std::size_t from = at_;
    const bool prefixed = text_[at_] == '0' && at_ + 1 < text_.size() && !is_digit(text_[at_ + 1]) &&
                          text_[at_ + 1] != '.' && text_[at_ + 1] != 'e' && text_[at_ + 1] != 'E';
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool sign =
          (c == '+' || c == '-') && !prefixed && at_ > from && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
      if (!is_word(c) && c != '.' && !sign) return;
      ++at_;
    }
  }

  bool skip_mark() {
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view mark : {"||", "&&", "==", "!=", "<=", ">=", "<<", ">>"}) {
      if (rest.substr(0, 2) == mark) return at_ += 2, true;
    }
    if (std::string_view("?:|^&<>+-*/%!~()[],").find(rest[0]) == std::string_view::npos) return false;
    ++at_;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::variant<std::vector<RuleToken>, CaseError> tokenize_rule(std::string_view text) { return Lexer(text).run(); }

}  // namespace warpsim
