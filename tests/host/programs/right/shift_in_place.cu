// Elements move down in place within one block, and between two buffers across blocks.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>
#include <vector>

__global__ void shift_block(int* x) {
  const int i = threadIdx.x, n = blockDim.x;
  const int next = i + 1 < n ? x[i + 1] : 0;
  __syncthreads();
  x[i] = next;
}

__global__ void shift(int n, const int* __restrict__ x, int* __restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = i + 1 < n ? x[i + 1] : 0;
}

int main() {
  const int n = 1024;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  shift_block<<<1, n>>>(x);
  for (int k = 0; k < 2; ++k) {
    shift<<<n / 128, 128>>>(n, x, y);
    std::swap(x, y);
  }
  cudaMemcpy(host.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && host[i] == (i + 3 < n ? i + 3 : 0);
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
