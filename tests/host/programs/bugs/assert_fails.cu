// An assertion does not hold for one of the elements.
// finds: WS0707
// tool: memcheck
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <vector>

__global__ void inverse(int n, const float* x, float* y) {
  const int i = threadIdx.x;
  if (i >= n) return;
  assert(x[i] != 0.0f);
  y[i] = 1.0f / x[i];
}

int main() {
  const int n = 50;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i - 20);
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  inverse<<<1, 64>>>(n, x, y);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(x);
  cudaFree(y);
  return 0;
}
