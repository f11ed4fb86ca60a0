// Two tiles take turns, but the barrier stands before the load, so that a fast warp fills what a slow one still reads.
// finds: WS0402
// tool: racecheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sums(int tiles, const int* x, int* y) {
  __shared__ int tile[2][64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < tiles; ++k) {
    __syncthreads();
    tile[k % 2][t] = x[k * 64 + t];
    sum += tile[k % 2][63 - t];
  }
  y[t] = sum;
}

int main() {
  const int tiles = 5;
  std::vector<int> host(64 * tiles, 1);
  int *x, *y;
  cudaMalloc(&x, host.size() * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  cudaMemcpy(x, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  sums<<<1, 64>>>(tiles, x, y);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
