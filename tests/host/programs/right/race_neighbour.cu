// A barrier between writing a tile and reading what the neighbour wrote.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <numeric>
#include <vector>

__global__ void shift(const int* x, int* y) {
  __shared__ int tile[256];
  const int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  y[t] = tile[(t + 1) % 256];
}

int main() {
  const int n = 256;
  std::vector<int> host(n), result(n);
  std::iota(host.begin(), host.end(), 0);
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  shift<<<1, n>>>(x, y);
  cudaMemcpy(result.data(), y, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && result[i] == (i + 1) % n;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
