// A named barrier waits for 64 threads, and only one warp of two comes there.
// finds: WS0503
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void hand_over(int* out) {
  __shared__ int value;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) value = 5;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x == 0) *out = value;
  }
}

int main() {
  int *out, result = 0;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  hand_over<<<1, 64>>>(out);
  const cudaError_t error = cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
