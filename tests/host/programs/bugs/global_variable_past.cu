// A __device__ array has 64 elements, and 65 threads write to it.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__device__ int slots[64];

__global__ void mark(int n) {
  const int i = threadIdx.x;
  if (i <= n) slots[i] = i + 1;
}

int main() {
  mark<<<1, 96>>>(64);
  const cudaError_t error = cudaDeviceSynchronize();
  int host[64] = {};
  cudaMemcpyFromSymbol(host, slots, sizeof host);
  int sum = 0;
  for (const int value : host) sum += value;
  std::printf("%s %d\n", error == cudaSuccess ? "done" : "failed", sum);
  return 0;
}
