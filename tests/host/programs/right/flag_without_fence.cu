// A block writes data, fences, and raises a flag that another block waits for, with atomics and with volatile.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__device__ int data[2];
__device__ int ready;
__device__ volatile int also_ready;

__global__ void hand_over(int* out) {
  if (blockIdx.x == 0) {
    data[0] = 40;
    __threadfence();
    atomicExch(&ready, 1);
    data[1] = 2;
    __threadfence();
    also_ready = 1;
  } else {
    while (atomicAdd(&ready, 0) == 0) {
    }
    __threadfence();
    const int first = data[0];
    while (also_ready == 0) {
    }
    __threadfence();
    *out = first + data[1];
  }
}

int main() {
  int *out, result = 0;
  cudaMalloc(&out, sizeof(int));
  hand_over<<<2, 1>>>(out);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", result == 42 ? "ok" : "wrong", result);
  cudaFree(out);
  return 0;
}
