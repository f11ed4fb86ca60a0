// The hand-written CUDA kernels of tools/cuda/kernels/ as text, for people to read beside a program.
//
// Shapes: GROUP/NAME is the program's name. The texts live as long as the process.
// Errors: none; "" where there is no such kernel. Built without nvcc they are here all the same.
// Source: kernels.cmake lists the files, embed_texts.cmake writes the list.
#pragma once

#include <string_view>

namespace warpsim {

std::string_view cuda_kernel_text(std::string_view program);

}  // namespace warpsim
