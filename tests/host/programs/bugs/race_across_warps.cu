// The warps exchange values through shared memory with __syncwarp, which orders one warp alone.
// finds: WS0402
// tool: racecheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void reverse(const int* x, int* y) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = x[t];
  __syncwarp();
  y[t] = tile[127 - t];
}

int main() {
  const int n = 128;
  std::vector<int> host(n, 3);
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse<<<1, n>>>(x, y);
  cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
