// Blocks share a counter that they raise with an atomic of block scope.
// finds: WS0403
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(int n, int* counter) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 5 == 0) atomicAdd_block(counter, 1);
}

int main() {
  int* counter;
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  count<<<4, 64>>>(200, counter);
  int result = 0;
  cudaMemcpy(&result, counter, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(counter);
  return 0;
}
