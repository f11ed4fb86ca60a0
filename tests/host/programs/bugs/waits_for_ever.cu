// A kernel waits for a flag that nobody sets.
// finds: WS0704
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void wait(volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  *out = 1;
}

int main() {
  int *flag, *out;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  wait<<<1, 1>>>(flag, out);
  cudaMemset(flag, 1, sizeof(int));  // waits for the kernel, which waits for this
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(flag);
  cudaFree(out);
  return 0;
}
