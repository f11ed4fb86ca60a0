// For no elements a grid of no blocks is launched, which is an error that nobody asks for.
// finds: WS1007
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(int n, int* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, 1);
}

int main() {
  int *total, result = -1;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  for (const int n : {100, 0, 28}) add<<<(n + 63) / 64, 64>>>(n, total);
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(total);
  return 0;
}
