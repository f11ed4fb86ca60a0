// Four floats are loaded at once from an address that is only a multiple of four bytes.
// finds: WS0602
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum4(const float* x, float* y) {
  const int i = threadIdx.x;
  const float4 v = *reinterpret_cast<const float4*>(x + 4 * i);
  y[i] = v.x + v.y + v.z + v.w;
}

int main() {
  const int n = 257;
  std::vector<float> host(n, 1.0f);
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, 64 * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  sum4<<<1, 64>>>(x + 1, y);  // without the header, which is one float
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
