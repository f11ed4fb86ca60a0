// Small readings and sentences that the stepper's files share.
//
// Shapes: a sentence is a pattern with $1, $2 … for what it is filled with, in English and in Korean side by side.
// Errors: none.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "isa/text/lines.h"
#include "isa/text/word.h"
#include "traces/words/korean.h"
#include "traces/words/language.h"

namespace warpsim::tools {

// The first word of a text, which is taken off it.
inline std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text = trimmed(text.substr(word.size()));
  return word;
}

// What was typed, as a sentence can repeat it.
inline std::string shortened(std::string_view text, std::size_t most = 200) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;  // UTF-8 is not cut
  return std::string(text.substr(0, end)) + "...";
}

inline bool is_word(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; });
}

using StepperWords = std::initializer_list<std::string>;

inline std::string filled(Language language, std::string_view english, std::string_view korean, StepperWords words,
                          std::size_t longest = std::string::npos) {
  const std::string_view pattern = language == Language::Korean ? korean : english;
  std::string out;
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    const std::size_t number =
        pattern[k] == '$' && k + 1 < pattern.size() ? static_cast<std::size_t>(pattern[k + 1] - '1') : words.size();
    if (number < words.size()) out += shortened(words.begin()[number], longest);
    else out += pattern[k];
    k += number < words.size() ? 1 : 0;
  }
  return language == Language::Korean ? with_particles(out) : out;
}

}  // namespace warpsim::tools
