// Machine code for people and as JSON: each instruction with its control bits, below the lines that it came from.
//
// Shapes: text of at most 80 columns, but for long instructions. Padding at a function's end is one line.
// Units:  addresses in bytes, stalls in cycles.
// Errors: none: a source that cannot be read is left out.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "isa/sass/cubin.h"

namespace warpsim::tools {

// The text of a file, if it is at hand.
using SourceReader = std::function<std::optional<std::string>(const std::string& path)>;

std::string listing_of(const sass::Cubin& cubin, const sass::CodeSection& section, const SourceReader& source);
std::string listing_legend();
std::string json_of(const sass::Cubin& cubin, const sass::CodeSection& section);

// "13.0.88" of "Cuda compilation tools, release 13.0, V13.0.88"; "" of another text.
std::string compiler_version(std::string_view compiler);

}  // namespace warpsim::tools
