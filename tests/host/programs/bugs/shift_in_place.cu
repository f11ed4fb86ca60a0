// Elements move down in place: a barrier orders the block, but the neighbour's block may have written already.
// finds: WS0403
// tool: none
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void shift(int n, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int next = i + 1 < n ? x[i + 1] : 0;
  __syncthreads();
  if (i < n) x[i] = next;
}

int main() {
  const int n = 1024;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  int* x;
  cudaMalloc(&x, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  shift<<<n / 128, 128>>>(n, x);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  return 0;
}
