// No barrier between writing a tile and reading what the neighbour wrote.
// finds: WS0401 WS0402
// tool: racecheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void shift(const int* x, int* y) {
  __shared__ int tile[256];
  const int t = threadIdx.x;
  tile[t] = x[t];
  y[t] = tile[(t + 1) % 256];
}

int main() {
  const int n = 256;
  std::vector<int> host(n, 3);
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  shift<<<1, n>>>(x, y);
  cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
