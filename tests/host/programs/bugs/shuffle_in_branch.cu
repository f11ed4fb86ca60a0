// A shuffle of the whole warp stands in a branch that odd lanes do not take: they come to another one.
// finds: WS0303
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void exchange(int* out) {
  const int lane = threadIdx.x;
  int value = lane;
  if (lane % 2 == 0) {
    value = __shfl_sync(0xffffffff, value, lane + 1);
    out[lane] = value;
  } else {
    value = __shfl_sync(0xffffffff, 2 * value, lane - 1);
    out[lane] = -value;
  }
}

int main() {
  int *out, host[32] = {};
  cudaMalloc(&out, sizeof host);
  exchange<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
