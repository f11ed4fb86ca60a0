// The texts that programs come from, by name: "000:221-419" is "Mojo GPU Puzzle 26, shuffle_xor, lines 221-419".
//
// Shapes: a program's `.document` lists places, each a text's number and its lines; docs/SOURCES.md has the notation.
// Errors: none: what is not written so stays as it is.
// Source: docs/SOURCES.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpsim {

// One phrase for each run of places in one text, in the order in which they stand:
// "003:700-702, 003:540, 000:661" gives {"CUDA Shuffle Functions - Theory Guide, lines 700-702, 540", "Mojo GPU …"}.
std::vector<std::string> cited(std::string_view document);

struct CitedText {
  std::string words;         // as cited() has them
  std::string_view address;  // of the public page that has the first place; "" of a text that nobody knows
};
std::vector<CitedText> cited_texts(std::string_view document);

}  // namespace warpsim
