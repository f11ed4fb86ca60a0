// One warp fills a word and arrives at a named barrier, at which the other one waits.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void hand_over(int* out) {
  __shared__ int value;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) value = 5;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x - 32] = value;
  }
}

int main() {
  int *out, result[32] = {};
  cudaMalloc(&out, sizeof result);
  hand_over<<<1, 64>>>(out);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  bool good = true;
  for (const int value : result) good = good && value == 5;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(out);
  return 0;
}
