// A stencil clamped to the ends; one pointer points to the end, so that its indices are negative and right.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void smooth(int n, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* const end = x + n;
  const int left = max(i - 1, 0) - n, right = min(i + 1, n - 1) - n;
  y[i] = end[left] + end[i - n] + end[right];
}

int main() {
  const int n = 500;
  const std::vector<float> host(n, 3.0f);
  std::vector<float> result(n);
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  smooth<<<(n + 127) / 128, 128>>>(n, x, y);
  cudaMemcpy(result.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
  bool good = true;
  for (const float value : result) good = good && value == 9.0f;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
