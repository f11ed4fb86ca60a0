// The kernels as C++ loops that a compiler vectorises, in one thread: what a CPU does without a GPU's code.
//
// Shapes: as kernels/kernels.cu has them.
#pragma once

#include <cstdint>

namespace warpsim::bench::native {

void saxpy(int n, float a, const float* x, float* y);
void matmul(int n, const float* a, const float* b, float* c);
void softmax(int rows, int columns, const float* x, float* y);
void mandelbrot(int width, int height, int* count);
void nbody(int n, const float* body, float* acceleration);  // x y z and mass each
void hash64(int n, const std::uint64_t* x, std::uint64_t* y);

}  // namespace warpsim::bench::native
