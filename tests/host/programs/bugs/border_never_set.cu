// A stencil leaves the border of its second buffer unset, and the next round reads it.
// finds: WS0106
// tool: initcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>
#include <vector>

__global__ void spread(int n, const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) y[i] = x[i - 1] > x[i + 1] ? x[i - 1] : x[i + 1];
}

int main() {
  const int n = 128;
  std::vector<int> host(n, 4);
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (int round = 0; round < 2; ++round) {
    spread<<<1, n>>>(n, x, y);
    std::swap(x, y);
  }
  cudaMemcpy(host.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
