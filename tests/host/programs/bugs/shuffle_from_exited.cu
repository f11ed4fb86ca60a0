// Threads behind the end return early, and the sum of the warp still adds what shuffles take from them.
// finds: WS0103
// tool: none
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum(int n, const int* x, int* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int value = x[i];
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
  sum<<<1, 128>>>(n, x, result);
  cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(result);
  return 0;
}
