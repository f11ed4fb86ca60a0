// One thread of each warp stores the warp's maximum to the same word, and the last one wins.
// finds: WS0402
// tool: racecheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void maximum(const int* x, int* result) {
  __shared__ int most;
  const int value = __reduce_max_sync(0xffffffff, x[threadIdx.x]);
  if (threadIdx.x % 32 == 0) most = value;
  __syncthreads();
  if (threadIdx.x == 0) *result = most;
}

int main() {
  const int n = 128;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  int *x, *result;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  maximum<<<1, n>>>(x, result);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(result);
  return 0;
}
