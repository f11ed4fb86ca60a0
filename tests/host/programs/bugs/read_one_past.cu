// The loop bound is `<=`, so that the last thread reads one element past x.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void largest_step(int n, const float* x, float* step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 <= n) step[i] = x[i + 1] - x[i];
}

int main() {
  const int n = 1024;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = 0.5f * i;
  float *x, *step;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&step, n * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  largest_step<<<n / 128, 128>>>(n, x, step);
  const cudaError_t error = cudaMemcpy(host.data(), step, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(step);
  return 0;
}
