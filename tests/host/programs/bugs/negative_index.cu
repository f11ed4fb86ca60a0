// The stencil's left neighbour of element 0 has the index -1.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void smooth(int n, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3.0f;
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
  const cudaError_t error = cudaMemcpy(result.data(), y, (n - 1) * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
