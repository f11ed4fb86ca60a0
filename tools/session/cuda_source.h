// CUDA C++: nvcc makes PTX of it.
//
// Shapes: a text of PTX.
// Units:  bytes.
// Errors: through the Reply: no nvcc is "unsupported" (exit code 5), a text that it refuses is bad input (3), with its
//         own words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/program/program.h"
#include "tools/session/session.h"

namespace warpsim::tools {

// Where a program of the CUDA toolkit may be, the likeliest first: beside the nvcc that CUDACXX names; else on the
// PATH, for a name without a folder, and where the toolkit usually is.
std::vector<std::string> places_of_toolkit_program(const std::string& name);

// nvcc -ptx with --arch, -I, -D and -G as the options say, with line information. nvcc is what CUDACXX names, else the
// one on the PATH, in CUDA_HOME or CUDA_PATH, or in /usr/local/cuda.
std::optional<std::string> compiled_to_ptx(Session& session, const std::string& path);

}  // namespace warpsim::tools
