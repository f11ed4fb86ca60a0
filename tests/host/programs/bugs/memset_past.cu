// cudaMemset clears from the middle of a buffer as many bytes as the whole one has.
// finds: WS1004
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  const int n = 512;
  int* x;
  cudaMalloc(&x, n * sizeof(int));
  cudaMemset(x, 0, n * sizeof(int));
  cudaMemset(x + n / 2, 1, n * sizeof(int));
  int last = 0;
  cudaMemcpy(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%x\n", last);
  cudaFree(x);
  return 0;
}
