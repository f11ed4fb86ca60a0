// Threads of several warps write neighbouring bytes of the same words in shared memory.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void primes(int n, int* count) {
  __shared__ bool composite[256];
  const int t = threadIdx.x;
  composite[t] = t < 2;
  __syncthreads();
  for (int d = 2; d < t && !composite[t]; ++d)
    if (t % d == 0) composite[t] = true;
  const int here = __syncthreads_count(t < n && !composite[t]);
  if (t == 0) *count = here;
}

int main() {
  int *count, result = 0;
  cudaMalloc(&count, sizeof(int));
  primes<<<1, 256>>>(200, count);
  cudaMemcpy(&result, count, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", result == 46 ? "ok" : "wrong", result);
  cudaFree(count);
  return 0;
}
