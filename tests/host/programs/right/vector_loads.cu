// Loads and stores of two and four elements at once, with the rest one by one.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void scale(int n, float factor, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    float4 v = reinterpret_cast<const float4*>(x)[i];
    v.x *= factor, v.y *= factor, v.z *= factor, v.w *= factor;
    reinterpret_cast<float4*>(y)[i] = v;
  }
  if (i < n % 4) y[n / 4 * 4 + i] = factor * x[n / 4 * 4 + i];
}

__global__ void swap_pairs(int pairs, int2* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) x[i] = make_int2(x[i].y, x[i].x);
}

int main() {
  const int n = 403;
  std::vector<float> host(n), result(n);
  std::vector<int> pairs(200), swapped(200);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);
  for (int i = 0; i < 200; ++i) pairs[i] = i;
  float *x, *y;
  int2* z;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&z, 100 * sizeof(int2));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(z, pairs.data(), 100 * sizeof(int2), cudaMemcpyHostToDevice);
  scale<<<1, 128>>>(n, 2.0f, x, y);
  swap_pairs<<<1, 128>>>(100, z);
  cudaMemcpy(result.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(swapped.data(), z, 100 * sizeof(int2), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && result[i] == 2.0f * i;
  for (int i = 0; i < 200; ++i) good = good && swapped[i] == (i ^ 1);
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
  return 0;
}
