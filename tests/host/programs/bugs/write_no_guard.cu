// The last block has more threads than there are elements left, and nothing keeps them from writing.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void scale(float factor, float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = factor * 2.0f;
}

int main() {
  const int n = 1000;
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  scale<<<(n + 255) / 256, 256>>>(1.5f, x);
  std::vector<float> host(n);
  cudaMemcpy(host.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  return 0;
}
