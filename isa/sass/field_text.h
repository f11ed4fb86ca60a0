// The text of one field of a row, read from left to right.
//
// Errors: what is not there is not eaten; a number that is not there is 0.
#pragma once

#include <string_view>

namespace warpsim::sass {

struct FieldText {
  std::string_view rest;

  char next() const { return rest.empty() ? '\0' : rest.front(); }
  bool eat(char c) {
    if (next() != c) return false;
    rest.remove_prefix(1);
    return true;
  }
  bool has_number() const { return next() >= '0' && next() <= '9'; }
  unsigned number() {
    unsigned value = 0;
    for (; has_number(); rest.remove_prefix(1)) value = value * 10 + static_cast<unsigned>(next() - '0');
    return value;
  }
  // Up to one of `ends`, which stays.
  std::string_view until(std::string_view ends) {
    const std::size_t end = rest.find_first_of(ends);
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(text.size());
    return text;
  }
};

}  // namespace warpsim::sass
