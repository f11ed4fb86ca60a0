// A function gives its result through a pointer only if it finds something, and the caller asks first.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __noinline__ bool find(int n, const int* x, int wanted, int* at) {
  for (int i = 0; i < n; ++i)
    if (x[i] == wanted) return *at = i, true;
  return false;
}

__global__ void positions(int n, const int* x, int* count) {
  int at;
  if (find(n, x, 3 * static_cast<int>(threadIdx.x), &at) && at < n / 2) atomicAdd(count, 1);
}

int main() {
  const int n = 64;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  int *x, *count, result = 0;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  positions<<<1, 32>>>(n, x, count);
  cudaMemcpy(&result, count, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", result == 11 ? "ok" : "wrong", result);
  cudaFree(x);
  cudaFree(count);
  return 0;
}
