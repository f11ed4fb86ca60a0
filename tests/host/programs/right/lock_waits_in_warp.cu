// A lock that every lane of a warp waits for in a loop of its own, which ends on GPUs from Volta on.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__device__ int lock;
__device__ int total;

__global__ void add() {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  total += static_cast<int>(threadIdx.x) + 1;
  __threadfence();
  atomicExch(&lock, 0);
}

int main() {
  add<<<2, 32>>>();
  int result = 0;
  cudaMemcpyFromSymbol(&result, total, sizeof result);
  std::printf("%s %d\n", result == 1056 ? "ok" : "wrong", result);
  return 0;
}
