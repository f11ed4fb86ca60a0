// Steps of a heat equation in two dimensions between two buffers, as many as the largest change asks for.
// finds: nothing
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

__host__ __device__ float relaxed(const float* x, int k, int n) {
  return 0.25f * (x[k - 1] + x[k + 1] + x[k - n] + x[k + n]);
}

__global__ void step(int n, const float* x, float* y, unsigned* change) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = j * n + i;
  if (i >= n || j >= n) return;
  const bool inside = i > 0 && j > 0 && i < n - 1 && j < n - 1;
  y[k] = inside ? relaxed(x, k, n) : x[k];
  if (inside) atomicMax(change, __float_as_uint(fabsf(y[k] - x[k])));
}

int main() {
  const int n = 20;
  std::vector<float> host(n * n, 0.0f), result(n * n);
  for (int k = 0; k < n * n; ++k)
    if (k < n || k >= n * (n - 1) || k % n == 0 || k % n == n - 1) host[k] = 1.0f;
  float *x, *y, change = 1;
  unsigned* changes;
  cudaMalloc(&x, n * n * sizeof(float));
  cudaMalloc(&y, n * n * sizeof(float));
  cudaMalloc(&changes, sizeof(unsigned));
  cudaMemcpy(x, host.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  int rounds = 0;
  for (; change > 0.02f && rounds < 50; ++rounds) {
    cudaMemset(changes, 0, sizeof(unsigned));
    step<<<dim3(2, 2), dim3(16, 16)>>>(n, x, y, changes);
    cudaMemcpy(&change, changes, sizeof change, cudaMemcpyDeviceToHost);
    std::swap(x, y);
    std::vector<float> next = host;
    for (int j = 1; j < n - 1; ++j)
      for (int i = 1; i < n - 1; ++i) next[j * n + i] = relaxed(host.data(), j * n + i, n);
    host = std::move(next);
  }
  cudaMemcpy(result.data(), x, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", result == host && rounds < 50 ? "ok" : "wrong", rounds);
  cudaFree(x);
  cudaFree(y);
  cudaFree(changes);
  return 0;
}
