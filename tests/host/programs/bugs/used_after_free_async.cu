// cudaFreeAsync stands in the stream before the kernel that still writes to the memory.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int n, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  const int n = 1000;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* x;
  cudaMallocAsync(&x, n * sizeof(int), stream);
  fill<<<4, 256, 0, stream>>>(n, x);
  cudaFreeAsync(x, stream);
  fill<<<4, 256, 0, stream>>>(n / 2, x);
  std::printf("%s\n", cudaStreamSynchronize(stream) == cudaSuccess ? "done" : "failed");
  cudaStreamDestroy(stream);
  return 0;
}
