// A __syncwarp names the lower half, and the upper half executes it, too.
// finds: WS0301
// tool: synccheck
#include <cuda_runtime.h>

#include <cstdio>

__global__ void touch(int* x) {
  const int lane = threadIdx.x;
  x[lane] = lane;
  __syncwarp(0x0000ffff);
  x[lane] += 1;
}

int main() {
  int *x, host[32] = {};
  cudaMalloc(&x, sizeof host);
  touch<<<1, 32>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  return 0;
}
