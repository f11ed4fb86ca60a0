// The last block adds up what all wrote, but there is no __threadfence before the count that makes it the last.
// finds: WS0403
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned arrived;

__global__ void sum(int* part, int* total) {
  if (threadIdx.x == 0) {
    part[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
    const bool is_last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
    if (is_last) {
      int sum = 0;
      for (unsigned k = 0; k < gridDim.x; ++k) sum += part[k];
      *total = sum;
    }
  }
}

int main() {
  const int blocks = 16;
  int *part, *total;
  cudaMalloc(&part, blocks * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  sum<<<blocks, 64>>>(part, total);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(part);
  cudaFree(total);
  return 0;
}
