// A shuffle in groups of twelve lanes, and a group's width must be a power of two.
// finds: WS0306
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void first_of_group(int* out) {
  const int lane = threadIdx.x;
  out[lane] = __shfl_sync(0xffffffff, lane, 0, 12);
}

int main() {
  int *out, host[32] = {};
  cudaMalloc(&out, sizeof host);
  first_of_group<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
