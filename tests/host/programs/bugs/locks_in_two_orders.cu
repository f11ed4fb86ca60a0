// Threads move amounts between accounts and lock the source first: two of them wait for each other.
// finds: WS0705
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__device__ int locks[2];
__device__ int accounts[2] = {100, 100};

__device__ void acquire(int k) {
  while (atomicCAS(&locks[k], 0, 1) != 0) {
  }
  __threadfence();
}

__device__ void release(int k) {
  __threadfence();
  atomicExch(&locks[k], 0);
}

__global__ void move(int amount) {
  const int from = blockIdx.x % 2, to = 1 - from;
  acquire(from);
  acquire(to);
  accounts[from] -= amount;
  accounts[to] += amount;
  release(to);
  release(from);
}

int main() {
  move<<<4, 1>>>(5);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  return 0;
}
