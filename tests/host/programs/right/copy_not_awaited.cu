// Tiles are copied asynchronously, one ahead of the one that is used.
// finds: nothing
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sums(int tiles, const int* x, int* y) {
  __shared__ int tile[2][64];
  const int t = threadIdx.x;
  int sum = 0;
  __pipeline_memcpy_async(&tile[0][t], &x[t], sizeof(int));
  __pipeline_commit();
  for (int k = 0; k < tiles; ++k) {
    if (k + 1 < tiles) __pipeline_memcpy_async(&tile[(k + 1) % 2][t], &x[(k + 1) * 64 + t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += tile[k % 2][63 - t];
    __syncthreads();
  }
  y[t] = sum;
}

int main() {
  const int tiles = 6;
  std::vector<int> host(64 * tiles), result(64);
  for (int i = 0; i < 64 * tiles; ++i) host[i] = i;
  int *x, *y;
  cudaMalloc(&x, host.size() * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  cudaMemcpy(x, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  sums<<<1, 64>>>(tiles, x, y);
  cudaMemcpy(result.data(), y, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int t = 0; t < 64; ++t) good = good && result[t] == tiles * (63 - t) + 64 * 15;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
