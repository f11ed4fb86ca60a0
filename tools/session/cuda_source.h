// CUDA C++ beside a kernel from PTX: nvcc makes PTX of it, and findings, traces and pages show its lines.
//
// Shapes: a text of PTX; the texts of the files that its .file directives name, in the program's module.
// Units:  bytes.
// Errors: through the Reply: no nvcc is "unsupported" (exit code 5), a text that it refuses is bad input (3), with its
//         own words. A source that is not at hand has no text, and only its name and lines are shown.
#pragma once

#include <optional>
#include <string>

#include "isa/program/program.h"
#include "tools/session/session.h"

namespace warpsim::tools {

inline constexpr std::size_t kMostSourceBytes = std::size_t{8} << 20;  // of one file; a longer one is not shown

// nvcc -ptx with --arch, -I, -D and -G as the options say, with line information. nvcc is what CUDACXX names, else the
// one on the PATH, in CUDA_HOME or CUDA_PATH, or in /usr/local/cuda.
std::optional<std::string> compiled_to_ptx(Session& session, const std::string& path);

// Reads what is at hand of the program's sources: by their names, or beside the file that was given.
void add_source_texts(Program& program, const std::string& given);

}  // namespace warpsim::tools
