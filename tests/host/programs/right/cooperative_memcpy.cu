// cooperative_groups::memcpy_async brings tiles to shared memory.
// finds: nothing
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void sums(int tiles, const int* x, int* y) {
  __shared__ alignas(16) int tile[64];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned t = block.thread_rank();
  int sum = 0;
  for (int k = 0; k < tiles; ++k) {
    cg::memcpy_async(block, tile, x + k * 64, sizeof tile);
    cg::wait(block);
    sum += tile[63 - t];
    block.sync();
  }
  y[t] = sum;
}

int main() {
  const int tiles = 4;
  std::vector<int> host(64 * tiles), result(64);
  for (int i = 0; i < 64 * tiles; ++i) host[i] = i;
  int *x, *y;
  cudaMalloc(&x, host.size() * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  cudaMemcpy(x, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  sums<<<1, 64>>>(tiles, x, y);
  cudaMemcpy(result.data(), y, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int t = 0; t < 64; ++t) good = good && result[t] == tiles * (63 - t) + 64 * 6;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
