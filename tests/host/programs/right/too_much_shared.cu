// A launch with 100 KB of shared memory, which cudaFuncSetAttribute allows.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int n, int* out) {
  extern __shared__ int tile[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) *out = tile[n - 1];
}

int main() {
  const int n = 25 * 1024;
  int *out, last = -1;
  cudaMalloc(&out, sizeof(int));
  cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, n * sizeof(int));
  fill<<<1, 256, n * sizeof(int)>>>(n, out);
  cudaMemcpy(&last, out, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", last == n - 1 ? "ok" : "wrong", last);
  cudaFree(out);
  return 0;
}
