// The last block adds up what all wrote, and sets the count that all raised by atomics back with a plain store.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned arrived;

__global__ void sum(int* part, int* total) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
    __threadfence();
    is_last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last || threadIdx.x >= 32) return;
  int sum = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += 32) sum += part[k];
  sum = __reduce_add_sync(0xffffffff, sum);
  if (threadIdx.x == 0) *total = sum, arrived = 0;
}

int main() {
  const int blocks = 50;
  int *part, *total;
  cudaMalloc(&part, blocks * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  bool good = true;
  for (int round = 0; round < 2; ++round) {
    sum<<<blocks, 64>>>(part, total);
    int result = 0;
    cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
    good = good && result == blocks * (blocks + 1) / 2;
  }
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(part);
  cudaFree(total);
  return 0;
}
