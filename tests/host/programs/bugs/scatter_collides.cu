// Two lanes each store their number to the same element, and one of them wins.
// finds: WS0404
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void pairs(int* owner) { owner[threadIdx.x / 2] = static_cast<int>(threadIdx.x); }

int main() {
  int *owner, host[16] = {};
  cudaMalloc(&owner, sizeof host);
  pairs<<<1, 32>>>(owner);
  cudaMemcpy(host, owner, sizeof host, cudaMemcpyDeviceToHost);
  int good = 0;
  for (int k = 0; k < 16; ++k) good += host[k] / 2 == k;
  std::printf("%d\n", good);
  cudaFree(owner);
  return 0;
}
