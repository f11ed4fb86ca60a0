// A kernel that never ends, and never stands as it stood before: a limit, or the user, ends it.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(volatile unsigned long long* rounds) {
  while (true) ++rounds[threadIdx.x];
}

int main() {
  unsigned long long* rounds = nullptr;
  cudaMalloc(&rounds, 64 * sizeof *rounds);
  cudaMemset(rounds, 0, 64 * sizeof *rounds);
  count<<<1, 64>>>(rounds);
  std::puts(cudaDeviceSynchronize() == cudaSuccess ? "ended" : "failed");
  cudaFree(rounds);
}
