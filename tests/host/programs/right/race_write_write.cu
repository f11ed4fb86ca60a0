// One thread of each warp takes the warp's maximum into a word of shared memory with atomicMax.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void maximum(const int* x, int* result) {
  __shared__ int most;
  if (threadIdx.x == 0) most = x[0];
  __syncthreads();
  const int value = __reduce_max_sync(0xffffffff, x[threadIdx.x]);
  if (threadIdx.x % 32 == 0) atomicMax(&most, value);
  __syncthreads();
  if (threadIdx.x == 0) *result = most;
}

int main() {
  const int n = 128;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i * 37 % 101 - 200;
  int *x, *result, most = 0;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  maximum<<<1, n>>>(x, result);
  cudaMemcpy(&most, result, sizeof most, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", most == -100 ? "ok" : "wrong", most);
  cudaFree(x);
  cudaFree(result);
  return 0;
}
