// The block that waits reads the flag with an atomic, and the other one sets it with a plain store.
// finds: WS0403
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__device__ int ready;

__global__ void wait(int* out) {
  if (blockIdx.x == 0) {
    *out = 7;
    __threadfence();
    ready = 1;
  } else {
    while (atomicAdd(&ready, 0) == 0) {
    }
    __threadfence();
    *out += 1;
  }
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  wait<<<2, 1>>>(out);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
