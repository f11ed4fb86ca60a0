// Two warps wait at two named barriers in opposite orders.
// finds: WS0701
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void meet(int* out) {
  if (threadIdx.x < 32) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    asm volatile("bar.sync 2, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");
    asm volatile("bar.sync 1, 64;" ::: "memory");
  }
  out[threadIdx.x] = 1;
}

int main() {
  int *out, result[64] = {};
  cudaMalloc(&out, sizeof result);
  meet<<<1, 64>>>(out);
  const cudaError_t error = cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
