// Threads move amounts between accounts and lock the one with the lower number first.
// finds: nothing
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
  acquire(min(from, to));
  acquire(max(from, to));
  accounts[from] -= amount * static_cast<int>(blockIdx.x);
  accounts[to] += amount * static_cast<int>(blockIdx.x);
  release(to);
  release(from);
}

int main() {
  move<<<4, 1>>>(5);
  int host[2];
  cudaMemcpyFromSymbol(host, accounts, sizeof host);
  std::printf("%s %d %d\n", host[0] == 110 && host[1] == 90 ? "ok" : "wrong", host[0], host[1]);
  return 0;
}
