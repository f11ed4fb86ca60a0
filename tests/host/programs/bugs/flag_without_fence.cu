// A block writes data and raises a flag with an atomic, but no fence stands between the two.
// finds: WS0403
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__device__ int data;
__device__ int ready;

__global__ void hand_over(int* out) {
  if (blockIdx.x == 0) {
    data = 42;
    atomicExch(&ready, 1);
  } else {
    while (atomicAdd(&ready, 0) == 0) {
    }
    __threadfence();
    *out = data;
  }
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  hand_over<<<2, 1>>>(out);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
