// The programs under programs/ and their Korean, as text inside the binary.
//
// Shapes: one entry a file programs/GROUP/NAME.warp, in the order of GROUP/NAME. The texts live as long as the process.
// Units:  none.
// Errors: none; whether a text is a valid program is the assembler's business.
// Source: embed.cmake writes both from the files at build time.
#pragma once

#include <span>
#include <string_view>

namespace warpsim {

struct EmbeddedProgram {
  std::string_view group;  // "p26"
  std::string_view name;   // "butterfly_parallel_max"
  std::string_view text;
};

std::span<const EmbeddedProgram> embedded_programs();

// The group of mistakes, each beside its fix: programs to learn from what is found in them. They are no patterns to
// draw, to translate or to compare with a GPU, where some of them would hang.
constexpr bool shows_mistakes(std::string_view group) { return group == "bugs"; }

// ko.json: the Korean of their titles and diagrams, a JSON object from the English text.
std::string_view embedded_korean();

}  // namespace warpsim
