// CUB's sums and sorts: of a block inside a kernel, of the whole device from the host.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_reduce.cuh>
#include <vector>

__global__ void block_sums(const int* x, int* sums) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const int sum = Reduce(storage).Sum(x[blockIdx.x * 128 + threadIdx.x]);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

int main() {
  const int blocks = 8, n = 128 * blocks;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  int *x, *sums, *total, result = 0;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  block_sums<<<blocks, 128>>>(x, sums);
  void* room = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(room, bytes, sums, total, blocks);
  cudaMalloc(&room, bytes);
  cub::DeviceReduce::Sum(room, bytes, sums, total, blocks);
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", result == n * (n - 1) / 2 ? "ok" : "wrong", result);
  cudaFree(room);
  cudaFree(x);
  cudaFree(sums);
  cudaFree(total);
  return 0;
}
