// A barrier made by hand waits for one block more than there are.
// finds: WS0704
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned arrived;

__global__ void phases(unsigned blocks, int* out) {
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < blocks) {
    }
    __threadfence();
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main() {
  const int blocks = 4, threads = 64;
  int* out;
  cudaMalloc(&out, blocks * threads * sizeof(int));
  phases<<<blocks, threads>>>(blocks + 1, out);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
