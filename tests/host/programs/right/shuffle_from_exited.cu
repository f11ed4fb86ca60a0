// Threads behind the end add zero to the sum of their warp.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum(int n, const int* x, int* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? x[i] : 0;
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
  if (threadIdx.x % 32 == 0) atomicAdd(result, value);
}

int main() {
  const int n = 100;
  std::vector<int> host(n, 1);
  int *x, *result, value = 0;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemset(result, 0, sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<2, 128>>>(n, x, result);
  cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", value == 100 ? "ok" : "wrong", value);
  cudaFree(x);
  cudaFree(result);
  return 0;
}
