// Only the even blocks come to the grid's barrier.
// finds: WS0704
// tool: none
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void phases(int* out) {
  if (blockIdx.x % 2 == 0) cooperative_groups::this_grid().sync();
  out[blockIdx.x] = 1;
}

int main() {
  const int blocks = 4;
  int* out;
  cudaMalloc(&out, blocks * sizeof(int));
  void* arguments[] = {&out};
  cudaLaunchCooperativeKernel(phases, dim3(blocks), dim3(32), arguments);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
