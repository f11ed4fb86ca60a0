// The lines of a text.
//
// Units:  lines count from 1.
// Errors: a line that the text does not have is empty.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpsim {

// Without its line end.
std::string_view line_in(std::string_view text, std::uint32_t number);
// All of them, up to each '\n'; behind the last one there is none.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace warpsim
