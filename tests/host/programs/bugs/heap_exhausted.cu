// A kernel's malloc asks for more than the heap has, and its null is written to.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void work(size_t bytes, int* out) {
  int* const scratch = static_cast<int*>(malloc(bytes));
  scratch[0] = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = scratch[0];
  free(scratch);
}

int main() {
  int *out, host[32] = {};
  cudaMalloc(&out, sizeof host);
  work<<<1, 32>>>(1 << 20, out);
  const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
