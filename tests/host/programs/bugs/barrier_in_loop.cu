// A loop with a __syncthreads in it, which the threads of a warp leave after different numbers of rounds.
// finds: WS0501
// tool: synccheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum_rows(const int* length, int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < length[t]; ++k) {
    tile[t] = k;
    __syncthreads();
    sum += tile[t];
  }
  y[t] = sum;
}

int main() {
  std::vector<int> host(64);
  for (int i = 0; i < 64; ++i) host[i] = 4 + i % 3;
  int *length, *y;
  cudaMalloc(&length, 64 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  cudaMemcpy(length, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  sum_rows<<<1, 64>>>(length, y);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(length);
  cudaFree(y);
  return 0;
}
