// A block of 48 threads reduces its second warp as if it had 32 lanes.
// finds: WS0103
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void sum(int* total) {
  int value = static_cast<int>(threadIdx.x);
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
  if (threadIdx.x % 32 == 0) atomicAdd(total, value);
}

int main() {
  int *total, result = 0;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  sum<<<1, 48>>>(total);
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(total);
  return 0;
}
