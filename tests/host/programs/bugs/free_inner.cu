// A pointer is moved on through the buffer, and freed where it then is.
// finds: WS1001 WS1003
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int n, int value, int* x) {
  const int i = threadIdx.x;
  if (i < n) x[i] = value;
}

int main() {
  const int n = 32;
  int* x;
  cudaMalloc(&x, 4 * n * sizeof(int));
  for (int part = 0; part < 3; ++part) {
    fill<<<1, 32>>>(n, part, x);
    x += n;
  }
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  return 0;
}
