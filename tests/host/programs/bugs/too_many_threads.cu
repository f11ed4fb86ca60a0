// A block of 2048 threads is launched, and nobody asks whether that works.
// finds: WS1007
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main() {
  const int n = 2048;
  int *x, last = -1;
  cudaMalloc(&x, n * sizeof(int));
  cudaMemset(x, 0, n * sizeof(int));
  fill<<<1, n>>>(x);
  cudaMemcpy(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%d\n", last);
  cudaFree(x);
  return 0;
}
