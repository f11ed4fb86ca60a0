// A stencil between two buffers, which copies the border in each round.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>
#include <vector>

__global__ void spread(int n, const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i == 0 || i == n - 1) y[i] = x[i];
  else y[i] = x[i - 1] > x[i + 1] ? x[i - 1] : x[i + 1];
}

int main() {
  const int n = 128;
  std::vector<int> host(n, 4);
  host[64] = 9;
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (int round = 0; round < 3; ++round) {
    spread<<<1, n>>>(n, x, y);
    std::swap(x, y);
  }
  cudaMemcpy(host.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);
  int nines = 0;
  for (const int value : host) nines += value == 9;
  std::printf("%s %d\n", nines == 4 && host[61] == 9 && host[67] == 9 ? "ok" : "wrong", nines);
  cudaFree(x);
  cudaFree(y);
  return 0;
}
