// A tile is copied asynchronously, and read before anybody waited for the copy.
// finds: WS0408
// tool: racecheck
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void twice(const int* x, int* y) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &x[t], sizeof(int));
  __pipeline_commit();
  y[t] = 2 * tile[t];
}

int main() {
  std::vector<int> host(32, 21);
  int *x, *y;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&y, 32 * sizeof(int));
  cudaMemcpy(x, host.data(), 32 * sizeof(int), cudaMemcpyHostToDevice);
  twice<<<1, 32>>>(x, y);
  cudaMemcpy(host.data(), y, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
