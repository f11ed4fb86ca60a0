// The lines of a text.
//
// Units:  lines count from 1.
// Errors: a line that the text does not have is empty.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpsim {

// Without its line end.
std::string_view line_in(std::string_view text, std::uint32_t number);

}  // namespace warpsim
