// A launch asks for 100 KB of shared memory without cudaFuncSetAttribute, and for its error nobody asks.
// finds: WS1007
// tool: memcheck
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
  cudaMemset(out, 0, sizeof(int));
  fill<<<1, 256, n * sizeof(int)>>>(n, out);
  cudaMemcpy(&last, out, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%d\n", last);
  cudaFree(out);
  return 0;
}
