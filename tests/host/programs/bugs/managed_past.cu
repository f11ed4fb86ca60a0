// Managed memory for n elements, of which the kernel writes n and one more.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__global__ void offsets(int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = 3 * i;  // n + 1 offsets delimit n rows
}

int main() {
  const int rows = 1024;
  int* out;
  cudaMallocManaged(&out, rows * sizeof(int));
  offsets<<<rows / 256 + 1, 256>>>(rows, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
