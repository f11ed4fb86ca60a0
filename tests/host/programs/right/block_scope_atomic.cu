// Each block has a counter of its own, which it raises with an atomic of block scope.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(int n, int* counters) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 5 == 0) atomicAdd_block(counters + blockIdx.x, 1);
}

int main() {
  int *counters, host[4];
  cudaMalloc(&counters, sizeof host);
  cudaMemset(counters, 0, sizeof host);
  count<<<4, 64>>>(200, counters);
  cudaMemcpy(host, counters, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s %d %d %d %d\n", host[0] + host[1] + host[2] + host[3] == 40 ? "ok" : "wrong", host[0], host[1],
              host[2], host[3]);
  cudaFree(counters);
  return 0;
}
