// The kernel stops itself with __trap, because a table is full.
// finds: WS0707
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__global__ void insert(int capacity, int* table, int* count) {
  const int at = atomicAdd(count, 1);
  if (at >= capacity) __trap();
  table[at] = threadIdx.x;
}

int main() {
  const int capacity = 40;
  int *table, *count;
  cudaMalloc(&table, capacity * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  insert<<<1, 64>>>(capacity, table, count);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(table);
  cudaFree(count);
  return 0;
}
