// The threads of a block count with ++ in shared memory.
// finds: WS0401
// tool: racecheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void count_positive(const int* x, int* result) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (x[threadIdx.x] > 0) count++;
  __syncthreads();
  if (threadIdx.x == 0) *result = count;
}

int main() {
  std::vector<int> host(32);
  for (int i = 0; i < 32; ++i) host[i] = i - 10;
  int *x, *result;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemcpy(x, host.data(), 32 * sizeof(int), cudaMemcpyHostToDevice);
  count_positive<<<1, 32>>>(x, result);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(result);
  return 0;
}
