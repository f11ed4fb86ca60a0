// The threads of a block count with atomics, and one thread alone with ++.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void count_positive(const int* x, int* result) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (x[threadIdx.x] > 0) atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    count++;
    *result = count;
  }
}

int main() {
  std::vector<int> host(96);
  for (int i = 0; i < 96; ++i) host[i] = i - 10;
  int *x, *result, count = 0;
  cudaMalloc(&x, 96 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemcpy(x, host.data(), 96 * sizeof(int), cudaMemcpyHostToDevice);
  count_positive<<<1, 96>>>(x, result);
  cudaMemcpy(&count, result, sizeof count, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", count == 86 ? "ok" : "wrong", count);
  cudaFree(x);
  cudaFree(result);
  return 0;
}
