// A block of 48 threads reduces segments of 16 lanes, of which its second warp has one.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void sum(int* total) {
  const unsigned mask = threadIdx.x < 32 ? 0xffffffff : 0x0000ffff;
  int value = static_cast<int>(threadIdx.x);
  for (int step = 8; step > 0; step /= 2) value += __shfl_down_sync(mask, value, step, 16);
  if (threadIdx.x % 16 == 0) atomicAdd(total, value);
}

int main() {
  int *total, result = 0;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  sum<<<1, 48>>>(total);
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", result == 1128 ? "ok" : "wrong", result);
  cudaFree(total);
  return 0;
}
