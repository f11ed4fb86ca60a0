// A kernel with __launch_bounds__(128) is launched with 256 threads, and nobody asks for the error.
// finds: WS1007
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__global__ void __launch_bounds__(128) fill(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
  const int n = 1024;
  int *x, last = -1;
  cudaMalloc(&x, n * sizeof(int));
  cudaMemset(x, 0, n * sizeof(int));
  fill<<<n / 256, 256>>>(x);
  cudaMemcpy(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%d\n", last);
  cudaFree(x);
  return 0;
}
