#include "traces/words/sources.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

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

// The public pages that a text was joined from, each by its first line in the text, the last page first.
struct SourcePage {
  std::string_view number;
  unsigned first_line;
  std::string_view address;
};
constexpr std::array<SourcePage, 9> kSourcePages = {{
    {"000:", 1, "https://github.com/modular/mojo-gpu-puzzles/blob/main/book/src/puzzle_26/warp_shuffle_xor.md"},
    {"001:", 1, "https://github.com/modular/mojo-gpu-puzzles/blob/main/book/i18n/ko/src/puzzle_26/warp_shuffle_xor.md"},
    {"002:", 917, "https://github.com/modular/mojo-gpu-puzzles/blob/main/book/src/puzzle_26/warp_prefix_sum.md"},
    {"002:", 199, "https://github.com/modular/mojo-gpu-puzzles/blob/main/book/src/puzzle_26/warp_shuffle_xor.md"},
    {"002:", 1, "https://github.com/modular/mojo-gpu-puzzles/blob/main/book/src/puzzle_26/puzzle_26.md"},
    {"003:", 1,
     "https://github.com/Umang-projects/gpu-systems-playgrund/blob/68f0e60df14de52b59cbff53643de02c2e296fde/"
     "Warp_level_programming/Warp_and_find_id/Kernels_Intro/Types_warp_working/README.md"},
    {"004:", 687, "https://github.com/modular/mojo-gpu-puzzles/blob/main/book/src/puzzle_25/warp_broadcast.md"},
    {"004:", 188, "https://github.com/modular/mojo-gpu-puzzles/blob/main/book/src/puzzle_25/warp_shuffle_down.md"},
    {"004:", 1, "https://github.com/modular/mojo-gpu-puzzles/blob/main/book/src/puzzle_25/puzzle_25.md"},
}};

std::string_view page_of_place(std::string_view place) {
  for (const SourcePage& page : kSourcePages) {
    if (place.substr(0, page.number.size()) != page.number) continue;
    unsigned line = 0;
    for (const char c : place.substr(page.number.size())) {
      if (c < '0' || c > '9') break;
      line = line * 10 + static_cast<unsigned>(c - '0');
    }
    if (line >= page.first_line) return page.address;
  }
  return {};
}

const SourceText* text_of_place(std::string_view place) {
  for (const SourceText& text : kSourceTexts)
    if (place.substr(0, text.number.size()) == text.number) return &text;
  return nullptr;
}

}  // namespace

std::vector<std::string> cited(std::string_view document) {
  std::vector<std::string> phrases;
  for (CitedText& one : cited_texts(document)) phrases.push_back(std::move(one.words));
  return phrases;
}

std::vector<CitedText> cited_texts(std::string_view document) {
  std::vector<CitedText> phrases;
  const SourceText* last = nullptr;
  for (std::size_t at = 0; at < document.size();) {
    const std::size_t comma = std::min(document.find(", ", at), document.size());
    const std::string_view place = document.substr(at, comma - at);
    const SourceText* const text = text_of_place(place);
    if (text == nullptr) {
      phrases.push_back({std::string(place), {}});
    } else if (text == last) {
      phrases.back().words += ", " + std::string(place.substr(text->number.size()));
    } else {
      const std::string_view lines = place.substr(text->number.size());
      const bool is_one = lines.find('-') == std::string_view::npos;
      phrases.push_back(
          {std::string(text->name) + (is_one ? ", line " : ", lines ") + std::string(lines), page_of_place(place)});
    }
    last = text;
    at = comma + 2;
  }
  return phrases;
}

}  // namespace warpsim
