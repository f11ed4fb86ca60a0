// Reads through __ldg and const __restrict__, and a small table of constants by value.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Filter {
  float weights[5];
  int radius;
};

__global__ void convolve(int n, const float* __restrict__ x, float* __restrict__ y, const Filter filter) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = -filter.radius; k <= filter.radius; ++k) {
    const int at = min(max(i + k, 0), n - 1);
    sum += filter.weights[k + filter.radius] * __ldg(x + at);
  }
  y[i] = sum;
}

int main() {
  const int n = 300;
  std::vector<float> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);
  const Filter filter = {{1, 2, 4, 2, 1}, 2};
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  convolve<<<3, 128>>>(n, x, y, filter);
  cudaMemcpy(result.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
  bool good = result[0] == 4 && result[n - 1] == 10 * 299 - 4;
  for (int i = 2; i < n - 2; ++i) good = good && result[i] == 10.0f * i;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
