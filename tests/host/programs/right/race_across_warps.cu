// Each warp reverses a stretch of its own in shared memory, for which __syncwarp is enough.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <numeric>
#include <vector>

__global__ void reverse(const int* x, int* y) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = x[t];
  __syncwarp();
  y[t] = tile[t ^ 31];
}

int main() {
  const int n = 128;
  std::vector<int> host(n), result(n);
  std::iota(host.begin(), host.end(), 0);
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse<<<1, n>>>(x, y);
  cudaMemcpy(result.data(), y, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && result[i] == (i ^ 31);
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
