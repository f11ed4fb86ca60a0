// A named barrier counts 48 threads, which are one warp and a half.
// finds: WS0502
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void hand_over(int threads, int* out) {
  __shared__ int value;
  if (threadIdx.x == 0) value = 5;
  asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
  out[threadIdx.x] = value;
}

int main() {
  int *out, result[48] = {};
  cudaMalloc(&out, sizeof result);
  hand_over<<<1, 48>>>(48, out);
  const cudaError_t error = cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
