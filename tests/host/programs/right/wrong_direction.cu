// Copies between host and device that say nothing of their direction.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void twice(int n, int* x) {
  const int i = threadIdx.x;
  if (i < n) x[i] *= 2;
}

int main() {
  const int n = 100;
  std::vector<int> host(n, 21), back(n);
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyDefault);
  twice<<<1, 128>>>(n, x);
  cudaMemcpy(y, x, n * sizeof(int), cudaMemcpyDefault);
  cudaMemcpy(back.data(), y, n * sizeof(int), cudaMemcpyDefault);
  std::printf("%s %d\n", back[0] == 42 && back[99] == 42 ? "ok" : "wrong", back[99]);
  cudaFree(x);
  cudaFree(y);
  return 0;
}
