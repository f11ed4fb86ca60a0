// A thread that finds nothing to do leaves with the lock taken, and all others wait for ever.
// finds: WS0704
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__device__ int lock;
__device__ int stock = 3;

__global__ void take(int* out) {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  if (stock == 0) return;
  stock -= 1;
  __threadfence();
  atomicExch(&lock, 0);
  atomicAdd(out, 1);
}

int main() {
  int *out, result = 0;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  take<<<8, 1>>>(out);
  const cudaError_t error = cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
