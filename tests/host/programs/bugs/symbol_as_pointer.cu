// A __device__ variable is copied to by cudaMemcpy, with the address that the host has for it.
// finds: WS1005
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__device__ int limit = 10;

__global__ void count(int n, int* result) {
  if (static_cast<int>(threadIdx.x) < n && static_cast<int>(threadIdx.x) > limit) atomicAdd(result, 1);
}

int main() {
  const int wanted = 20;
  const cudaError_t error = cudaMemcpy(&limit, &wanted, sizeof wanted, cudaMemcpyHostToDevice);
  int *result, value = 0;
  cudaMalloc(&result, sizeof(int));
  cudaMemset(result, 0, sizeof(int));
  count<<<1, 64>>>(50, result);
  cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(result);
  return 0;
}
