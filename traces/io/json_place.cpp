// Walks through a JSON text by its brackets, commas and quotes alone.
#include "traces/io/json_place.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace warpsim {
namespace {

class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) { blanks(); }

  std::size_t at() const { return at_; }

  // To the member or item of the value here; false if it has none of that name.
  bool enter(std::string_view name) {
    const char open = here();
    if (open != '{' && open != '[') return false;
    std::size_t wanted = 0;
    std::from_chars(name.data(), name.data() + name.size(), wanted);
    for (std::size_t k = 0;; ++k) {
      ++at_;  // the bracket or a comma
      blanks();
      if (here() == '}' || here() == ']' || here() == '\0') return false;
      bool found = open == '[' && k == wanted;
      if (open == '{') {
        const std::size_t from = at_ + 1;
        skip_string();
        found = text_.substr(from, at_ - 1 - from) == name;
        blanks();
        ++at_;  // the colon
        blanks();
      }
      if (found) return true;
      skip_value();
      blanks();
      if (here() != ',') return false;
    }
  }

 private:
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void blanks() {
    while (here() == ' ' || here() == '\t' || here() == '\n' || here() == '\r') ++at_;
  }
  void skip_string() {
    for (++at_; here() != '"' && here() != '\0'; ++at_)
      if (here() == '\\') ++at_;
    ++at_;
  }
  void skip_value() {
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = here();
      if (c == '"') {
        skip_string();
        --at_;  // the loop's step
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (depth == 0 && (c == ',' || c == '}' || c == ']')) {
        return;
      } else if (c == '}' || c == ']') {
        --depth;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string unescaped(std::string_view part) {
  std::string out;
  for (std::size_t k = 0; k < part.size(); ++k) {
    if (part[k] != '~' || k + 1 == part.size()) out += part[k];
    else out += part[++k] == '1' ? '/' : '~';
  }
  return out;
}

}  // namespace

void place_in(std::string_view text, JsonError& error) {
  Walk walk(text);
  std::string_view rest = error.pointer;
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find('/'), rest.size());
    if (!walk.enter(unescaped(rest.substr(0, end)))) return;
    rest.remove_prefix(end);
  }
  std::uint32_t line = 1;
  std::size_t start = 0;
  for (std::size_t k = 0; k < walk.at(); ++k) {
    if (text[k] != '\n') continue;
    ++line;
    start = k + 1;
  }
  error.line = line;
  error.column = static_cast<std::uint32_t>(walk.at() - start + 1);
}

}  // namespace warpsim
