#include "traces/words/sources.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace warpsim {
namespace {

struct SourceText {
  std::string_view number, name;
};
constexpr std::array<SourceText, 5> kSourceTexts = {{
    {"000:", "Mojo GPU Puzzle 26, shuffle_xor"},
    {"001:", "Mojo GPU Puzzle 26, shuffle_xor (Korean)"},
    {"002:", "Mojo GPU Puzzle 26"},
    {"003:", "CUDA Shuffle Functions - Theory Guide"},
    {"004:", "Mojo GPU Puzzle 25"},
}};

const SourceText* text_of_place(std::string_view place) {
  for (const SourceText& text : kSourceTexts)
    if (place.substr(0, text.number.size()) == text.number) return &text;
  return nullptr;
}

}  // namespace

std::vector<std::string> cited(std::string_view document) {
  std::vector<std::string> phrases;
  const SourceText* last = nullptr;
  for (std::size_t at = 0; at < document.size();) {
    const std::size_t comma = std::min(document.find(", ", at), document.size());
    const std::string_view place = document.substr(at, comma - at);
    const SourceText* const text = text_of_place(place);
    if (text == nullptr) {
      phrases.emplace_back(place);
    } else if (text == last) {
      phrases.back() += ", " + std::string(place.substr(text->number.size()));
    } else {
      const std::string_view lines = place.substr(text->number.size());
      const bool is_one = lines.find('-') == std::string_view::npos;
      phrases.push_back(std::string(text->name) + (is_one ? ", line " : ", lines ") + std::string(lines));
    }
    last = text;
    at = comma + 2;
  }
  return phrases;
}

}  // namespace warpsim
