// A bitonic sort of a block in shared memory, and of several blocks in global memory.
// finds: nothing
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void sort_block(int* x) {
  extern __shared__ int tile[];
  const int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t;
  tile[t] = x[i];
  for (int size = 2; size <= n; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      const int other = t ^ step;
      if (other > t && (tile[t] > tile[other]) == ((i & size) == 0)) {
        const int kept = tile[t];
        tile[t] = tile[other];
        tile[other] = kept;
      }
    }
  __syncthreads();
  x[i] = tile[t];
}

__global__ void merge(int size, int step, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ step;
  if (other <= i) return;
  const int a = x[i], b = x[other];
  if ((a > b) == ((i & size) == 0)) x[i] = b, x[other] = a;
}

int main() {
  const int threads = 128, blocks = 4, n = threads * blocks;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = i * 7919 % 1009;
  int* x;
  cudaMalloc(&x, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sort_block<<<blocks, threads, threads * sizeof(int)>>>(x);
  for (int size = 2 * threads; size <= n; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) merge<<<blocks, threads>>>(size, step, x);
  cudaMemcpy(result.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::sort(host.begin(), host.end());
  std::printf("%s\n", result == host ? "ok" : "wrong");
  cudaFree(x);
  return 0;
}
