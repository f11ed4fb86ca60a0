// The kernel writes past the end of pinned memory.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__global__ void answer(int n, float* out) {
  const int i = threadIdx.x;
  out[i] = 0.25f * i + n;
}

int main() {
  const int n = 48;
  float* out;
  cudaMallocHost(&out, n * sizeof(float));
  for (int i = 0; i < n; ++i) out[i] = 0;
  answer<<<1, 64>>>(n, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFreeHost(out);
  return 0;
}
