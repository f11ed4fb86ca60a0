// The address of a device function is taken on the host, where it is another one.
// finds: WS0709
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

using Function = int (*)(int);

__host__ __device__ int twice(int x) { return 2 * x; }

__global__ void apply(Function function, int* x) { x[threadIdx.x] = function(x[threadIdx.x]); }

int main() {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMemset(x, 0, 32 * sizeof(int));
  apply<<<1, 32>>>(twice, x);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  return 0;
}
