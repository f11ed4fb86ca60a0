// A result that the kernel sets only where its condition holds is copied back whole, and the host counts in all of it.
// finds: WS0106
// tool: initcheck
// today: nothing (copies of undefined memory to the host are not reported)
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void roots(int n, const float* x, float* y) {
  const int i = threadIdx.x;
  if (i < n && x[i] >= 0) y[i] = sqrtf(x[i]);
}

int main() {
  const int n = 32;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i - 4);
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  roots<<<1, 32>>>(n, x, y);
  cudaMemcpy(host.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
  int large = 0;
  for (const float value : host) large += value > 100.0f;
  std::printf("%s\n", large < n ? "done" : "failed");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
