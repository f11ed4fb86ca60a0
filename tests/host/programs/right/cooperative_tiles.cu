// Sums by tiles of cooperative groups: of 8 lanes by shuffles, of a warp by cg::reduce, of those that are there.
// finds: nothing
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sums(int* by_8, int* by_32, int* odd) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile8 = cg::tiled_partition<8>(block);
  const auto warp = cg::tiled_partition<32>(block);
  const int value = static_cast<int>(block.thread_rank());
  int sum = value;
  for (unsigned step = tile8.size() / 2; step > 0; step /= 2) sum += tile8.shfl_down(sum, step);
  if (tile8.thread_rank() == 0) by_8[tile8.meta_group_rank()] = sum;
  const int all = cg::reduce(warp, value, cg::plus<int>());
  if (warp.thread_rank() == 0) by_32[warp.meta_group_rank()] = all;
  block.sync();
  if (value % 2 == 1) {
    const cg::coalesced_group group = cg::coalesced_threads();
    const int here = cg::reduce(group, value, cg::plus<int>());
    if (group.thread_rank() == 0) atomicAdd(odd, here);
  }
}

int main() {
  int *by_8, *by_32, *odd, host8[8], host32[2], host_odd = 0;
  cudaMalloc(&by_8, sizeof host8);
  cudaMalloc(&by_32, sizeof host32);
  cudaMalloc(&odd, sizeof host_odd);
  cudaMemset(odd, 0, sizeof host_odd);
  sums<<<1, 64>>>(by_8, by_32, odd);
  cudaMemcpy(host8, by_8, sizeof host8, cudaMemcpyDeviceToHost);
  cudaMemcpy(host32, by_32, sizeof host32, cudaMemcpyDeviceToHost);
  cudaMemcpy(&host_odd, odd, sizeof host_odd, cudaMemcpyDeviceToHost);
  bool good = host32[0] == 496 && host32[1] == 1520 && host_odd == 1024;
  for (int k = 0; k < 8; ++k) good = good && host8[k] == 64 * k + 28;
  std::printf("%s %d\n", good ? "ok" : "wrong", host_odd);
  cudaFree(by_8);
  cudaFree(by_32);
  cudaFree(odd);
  return 0;
}
