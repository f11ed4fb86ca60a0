// A copy between two buffers of the device reads past the end of the smaller one.
// finds: WS1004
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  const int old_size = 100, new_size = 200;
  int *small, *large;
  cudaMalloc(&small, old_size * sizeof(int));
  cudaMemset(small, 0, old_size * sizeof(int));
  cudaMalloc(&large, new_size * sizeof(int));
  const cudaError_t error = cudaMemcpy(large, small, new_size * sizeof(int), cudaMemcpyDeviceToDevice);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(small);
  cudaFree(large);
  return 0;
}
