// An index that is not clamped goes thousands of elements past the end of a local array.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void histogram(int n, const int* x, int* most) {
  int bins[32] = {};
  for (int i = 0; i < n; ++i) ++bins[x[threadIdx.x * n + i]];
  int best = 0;
  for (int k = 1; k < 32; ++k)
    if (bins[k] > bins[best]) best = k;
  most[threadIdx.x] = best;
}

int main() {
  const int n = 20, threads = 32;
  std::vector<int> host(n * threads);
  for (int i = 0; i < n * threads; ++i) host[i] = i % 31;
  host[100] = 1 << 22;
  int *x, *most;
  cudaMalloc(&x, host.size() * sizeof(int));
  cudaMalloc(&most, threads * sizeof(int));
  cudaMemcpy(x, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  histogram<<<1, threads>>>(n, x, most);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(most);
  return 0;
}
