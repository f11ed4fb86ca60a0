// The second buffer is never allocated: the kernel gets a null pointer.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

struct Buffers {
  float* in = nullptr;
  float* out = nullptr;
};

__global__ void twice(int n, Buffers buffers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) buffers.out[i] = 2.0f * buffers.in[i];
}

int main() {
  const int n = 100;
  Buffers buffers;
  cudaMalloc(&buffers.in, n * sizeof(float));
  cudaMemset(buffers.in, 0, n * sizeof(float));
  twice<<<1, 128>>>(n, buffers);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(buffers.in);
  cudaFree(buffers.out);
  return 0;
}
