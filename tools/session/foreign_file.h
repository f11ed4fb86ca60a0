// Files that are given as programs and are written in another language.
//
// Shapes: by the end of the name, else by the text. A text with a .kernel line is a program, whatever its name.
// Errors: none: it says what the file is, others report it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpsim::tools {

inline constexpr std::string_view kPtx = "PTX", kCuda = "CUDA C++";

struct ForeignFile {
  std::string_view language;  // "CUDA C++"
  std::string hint;           // what would work
};
std::optional<ForeignFile> foreign_file(std::string_view path, std::string_view text);

}  // namespace warpsim::tools
