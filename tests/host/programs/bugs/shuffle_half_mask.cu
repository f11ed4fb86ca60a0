// All lanes shuffle with a mask that names the lower half alone.
// finds: WS0301
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void sum(int* out) {
  int value = threadIdx.x;
  for (int step = 8; step > 0; step /= 2) value += __shfl_xor_sync(0x0000ffff, value, step);
  out[threadIdx.x] = value;
}

int main() {
  int *out, host[32] = {};
  cudaMalloc(&out, sizeof host);
  sum<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
