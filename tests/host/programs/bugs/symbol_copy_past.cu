// More is copied to a symbol than it has.
// finds: WS1004
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__constant__ float weights[8];

__global__ void apply(float* out) { out[threadIdx.x] = 2.0f * weights[threadIdx.x]; }

int main() {
  float host[16];
  for (int k = 0; k < 16; ++k) host[k] = static_cast<float>(k);
  const cudaError_t error = cudaMemcpyToSymbol(weights, host, sizeof host);
  float *out, result[8] = {};
  cudaMalloc(&out, sizeof result);
  apply<<<1, 8>>>(out);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
