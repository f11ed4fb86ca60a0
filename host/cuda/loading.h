// Modules and libraries that a program loads itself.
//
// Shapes: an image is a text of PTX, a fat binary, or what points to one. Its PTX is read at once.
// Units:  none.
// Errors: CUresult; why, in words, goes where the program wants to read it, else to standard error.
// Source: CUDA Driver API 13.0.
#pragma once

#include <string>

#include "host/cuda/call.h"
#include "host/cuda/jit_options.h"

namespace warpsim::driver {

CUresult load_image(cudart::Runtime& runtime, const void* image, JitOptions& options, CUmodule& module);
CUresult load_file(cudart::Runtime& runtime, const char* path, JitOptions& options, CUmodule& module);
// The whole file, and a zero.
bool read_file(const char* path, std::string& text);
// Says an error, once.
void report(cudart::Runtime& runtime, JitOptions& options, const std::string& why);

}  // namespace warpsim::driver
