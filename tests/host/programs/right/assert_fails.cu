// An assertion that holds for all elements.
// finds: nothing
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
  for (int i = 0; i < n; ++i) host[i] = i % 2 == 0 ? 0.5f : 4.0f;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  inverse<<<1, 64>>>(n, x, y);
  cudaMemcpy(host.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && host[i] == (i % 2 == 0 ? 2.0f : 0.25f);
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
