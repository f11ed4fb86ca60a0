// A block of 2048 threads is tried, the error is asked for, and smaller ones take its place.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
  const int n = 2048;
  int *x, last = -1, blocks = 1;
  cudaMalloc(&x, n * sizeof(int));
  cudaMemset(x, 0, n * sizeof(int));
  for (;; blocks *= 2) {
    fill<<<blocks, n / blocks>>>(x);
    if (cudaGetLastError() == cudaSuccess) break;
  }
  cudaMemcpy(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%s %d %d\n", last == 1 && blocks == 2 ? "ok" : "wrong", last, blocks);
  cudaFree(x);
  return 0;
}
