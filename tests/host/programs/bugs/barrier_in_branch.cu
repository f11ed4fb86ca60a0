// A __syncthreads that only a part of each warp comes to.
// finds: WS0501
// tool: synccheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fold(const int* x, int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  if (t % 2 == 0) {
    tile[t] += tile[t + 1];
    __syncthreads();
  }
  y[t] = tile[t];
}

int main() {
  std::vector<int> host(64, 2);
  int *x, *y;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  cudaMemcpy(x, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  fold<<<1, 64>>>(x, y);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
