// A barrier made by hand waits for all blocks, twice.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ unsigned arrived;

__device__ void wait_for_all(unsigned expected) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < expected) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void phases(int n, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i;
  wait_for_all(gridDim.x);
  const int other = x[n - 1 - i];
  wait_for_all(2 * gridDim.x);
  x[i] = other;
}

int main() {
  const int blocks = 4, threads = 64, n = blocks * threads;
  int* x;
  cudaMalloc(&x, n * sizeof(int));
  phases<<<blocks, threads>>>(n, x);
  std::vector<int> host(n);
  cudaMemcpy(host.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && host[i] == n - 1 - i;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  return 0;
}
