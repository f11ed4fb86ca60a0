// Pinned memory of the host is never freed.
// finds: WS1001
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  const int n = 1 << 12;
  float *pinned, *x;
  cudaMallocHost(&pinned, n * sizeof(float));
  cudaMalloc(&x, n * sizeof(float));
  for (int i = 0; i < n; ++i) pinned[i] = static_cast<float>(i);
  cudaMemcpyAsync(x, pinned, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaDeviceSynchronize();
  float last = 0;
  cudaMemcpy(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%g\n", last);
  cudaFree(x);
  return 0;
}
