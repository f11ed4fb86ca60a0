// The tile has no halo: the last thread reads one element behind the shared array.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void pair_sums(const int* x, int* y) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  y[t] = tile[t] + tile[t + 1];
}

int main() {
  const int n = 128;
  std::vector<int> host(n, 7);
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  pair_sums<<<1, n>>>(x, y);
  cudaMemcpy(host.data(), y, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
