// A buffer is allocated in each round and freed once.
// finds: WS1001
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(int n, int* sum) {
  const int i = threadIdx.x;
  if (i < n) atomicAdd(sum, i);
}

int main() {
  int *sum = nullptr, total = 0;
  for (int round = 0; round < 4; ++round) {
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    add<<<1, 32>>>(8 * round, sum);
    int value = 0;
    cudaMemcpy(&value, sum, sizeof value, cudaMemcpyDeviceToHost);
    total += value;
  }
  std::printf("%d\n", total);
  cudaFree(sum);
  return 0;
}
