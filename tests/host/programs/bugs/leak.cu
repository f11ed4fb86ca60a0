// One of two buffers is never freed.
// finds: WS1001
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void add(int n, const int* x, int* y) {
  const int i = threadIdx.x;
  if (i < n) y[i] = x[i] + 1;
}

int main() {
  const int n = 100;
  std::vector<int> host(n, 1);
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  add<<<1, 128>>>(n, x, y);
  cudaMemcpy(host.data(), y, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[99]);
  cudaFree(x);
  return 0;
}
