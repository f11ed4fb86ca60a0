// The launch asks for as many bytes of shared memory as there are threads, not four times as many.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <numeric>
#include <vector>

__global__ void reverse(const int* x, int* y) {
  extern __shared__ int tile[];
  const int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  y[t] = tile[blockDim.x - 1 - t];
}

int main() {
  const int n = 256;
  std::vector<int> host(n);
  std::iota(host.begin(), host.end(), 0);
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse<<<1, n, n>>>(x, y);
  cudaMemcpy(host.data(), y, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
