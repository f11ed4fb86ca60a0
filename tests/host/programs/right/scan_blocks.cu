// An exclusive scan of many blocks: Blelloch's in each block, then one of the blocks' sums, then these are added.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 256;

__global__ void scan(int n, int* x, int* sums) {
  __shared__ int tile[kBlock];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? x[i] : 0;
  for (int step = 1; step < kBlock; step *= 2) {
    __syncthreads();
    const int right = (t + 1) * step * 2 - 1;
    if (right < kBlock) tile[right] += tile[right - step];
  }
  __syncthreads();
  if (t == 0) {
    if (sums != nullptr) sums[blockIdx.x] = tile[kBlock - 1];
    tile[kBlock - 1] = 0;
  }
  for (int step = kBlock / 2; step > 0; step /= 2) {
    __syncthreads();
    const int right = (t + 1) * step * 2 - 1;
    if (right < kBlock) {
      const int left = tile[right - step];
      tile[right - step] = tile[right];
      tile[right] += left;
    }
  }
  __syncthreads();
  if (i < n) x[i] = tile[t];
}

__global__ void add(int n, int* x, const int* sums) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) x[i] += sums[blockIdx.x];
}

int main() {
  const int n = 1500, blocks = (n + kBlock - 1) / kBlock;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = i % 7;
  int *x, *sums;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scan<<<blocks, kBlock>>>(n, x, sums);
  scan<<<1, kBlock>>>(blocks, sums, nullptr);
  add<<<blocks, kBlock>>>(n, x, sums);
  cudaMemcpy(result.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0, sum = 0; i < n; sum += host[i++]) good = good && result[i] == sum;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(sums);
  return 0;
}
