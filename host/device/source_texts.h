// The texts of the files that a kernel was compiled from, beside its PTX: findings, traces and pages show their lines.
//
// Shapes: the texts of the files that .file directives name, in the program's module.
// Units:  bytes.
// Errors: a source that is not at hand has no text, and only its name and lines are shown.
#pragma once

#include <cstddef>
#include <string>

#include "isa/program/program.h"

namespace warpsim::host {

inline constexpr std::size_t kMostSourceBytes = std::size_t{8} << 20;  // of one file; a longer one is not shown

// Reads what is at hand of the program's sources: by their names, or beside the file that was given, if one was.
void add_source_texts(Program& program, const std::string& given);

}  // namespace warpsim::host
