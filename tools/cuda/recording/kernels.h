// The hand-written CUDA kernels of tools/cuda/kernels/, compiled to PTX when warpsim was built.
//
// Shapes: one module a group, in alphabetical order, with an `.entry` for every program of the group, called as
//         ptx_entry() says, whose parameters are the program's in the same order: a pointer for a buffer, a value for a
//         scalar. The texts live as long as the process.
// Units:  none.
// Errors: none; built without nvcc there are no modules.
// Source: kernels.cmake compiles the files, embed.cmake writes the list.
#pragma once

#include <span>
#include <string_view>

namespace warpsim {

struct CudaModule {
  std::string_view group;  // "p26"
  std::string_view ptx;
};

std::span<const CudaModule> cuda_modules();

}  // namespace warpsim
