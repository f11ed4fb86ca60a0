// Differences of neighbours, with the bound that n elements have.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void steps(int n, const float* x, float* step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) step[i] = x[i + 1] - x[i];
}

int main() {
  const int n = 1024;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = 0.5f * i;
  float *x, *step;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&step, (n - 1) * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  steps<<<n / 128, 128>>>(n, x, step);
  cudaMemcpy(host.data(), step, (n - 1) * sizeof(float), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n - 1; ++i) good = good && host[i] == 0.5f;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(step);
  return 0;
}
