// The pieces of a rule: numbers, words and marks.
//
// Shapes: the last token is End. A number's text runs on over letters and points, so that "0x1G" is one bad number.
// Units:  offsets count bytes into the rule.
// Errors: tokenize_rule returns a CaseError for a character that no rule has.
// Source: case.h, "The rule language".
#pragma once

#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

#include "isa/cases/case.h"

namespace warpsim {

struct RuleToken {
  enum class Kind : std::uint8_t { Number, Word, Mark, End };
  Kind kind = Kind::End;
  std::string_view text;
  std::size_t offset = 0;
};

// The tokens point into `text`, which must stay.
std::variant<std::vector<RuleToken>, CaseError> tokenize_rule(std::string_view text);

}  // namespace warpsim
