// A buffer is cleared after it was freed.
// finds: WS1006
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  const int n = 256;
  int* x[3];
  for (int*& one : x) cudaMalloc(&one, n * sizeof(int));
  cudaFree(x[1]);
  cudaError_t last = cudaSuccess;
  for (int* const one : x)
    if (const cudaError_t error = cudaMemset(one, 0, n * sizeof(int)); error != cudaSuccess) last = error;
  std::printf("%s\n", last == cudaSuccess ? "done" : "failed");
  cudaFree(x[0]);
  cudaFree(x[2]);
  return 0;
}
