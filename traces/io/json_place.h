// Finds the value that a JSON pointer names in a text; private to traces/.
//
// Shapes: for a text that parses, and after reading it: the document itself does not know its lines.
// Units:  lines and columns from 1.
// Errors: none; a pointer that leads nowhere leaves the error as it is.
// Source: RFC 6901.
#pragma once

#include <string_view>

#include "traces/io/json_values.h"

namespace warpsim {

// Fills in line and column of the place that the error's pointer names.
void place_in(std::string_view text, JsonError& error);

}  // namespace warpsim
