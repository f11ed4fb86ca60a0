// A CUDA kernel with clock reads around its body.
//
// Shapes: the kernel becomes a function that is inlined into one of the kernel's name, whose last two parameters are
//         clock_begin and clock_end, as clocked_whole() has them. Lanes that return early wait for the others there.
// Units:  clocks count cycles.
// Errors: "" if there is no kernel in the text, or its parameters cannot be told apart.
// Source: the kernels of tools/cuda/kernels; clocked_whole.h.
#pragma once

#include <string>
#include <string_view>

namespace warpsim {

std::string clocked_cuda(std::string_view text);

}  // namespace warpsim
