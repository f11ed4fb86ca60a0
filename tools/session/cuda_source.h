// CUDA C++: nvcc makes PTX of it.
//
// Shapes: a text of PTX.
// Units:  bytes.
// Errors: through the Reply: no nvcc is "unsupported" (exit code 5), a text that it refuses is bad input (3), with its
//         own words.
#pragma once

#include <optional>
#include <string>

#include "isa/program/program.h"
#include "tools/session/session.h"

namespace warpsim::tools {

// nvcc -ptx with --arch, -I, -D and -G as the options say, with line information. nvcc is what CUDACXX names, else the
// one on the PATH, in CUDA_HOME or CUDA_PATH, or in /usr/local/cuda.
std::optional<std::string> compiled_to_ptx(Session& session, const std::string& path);

}  // namespace warpsim::tools
