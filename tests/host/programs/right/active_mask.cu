// Members of a shuffle are found by a ballot of the whole warp before the branch.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum_odd(const int* x, int* result) {
  const int value = x[threadIdx.x];
  const unsigned mask = __ballot_sync(0xffffffff, value % 2 != 0);
  if (value % 2 != 0) {
    const int sum = __reduce_add_sync(mask, value);
    if (static_cast<int>(threadIdx.x % 32) == __ffs(mask) - 1) atomicAdd(result, sum);
  }
}

int main() {
  const int n = 64;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  int *x, *result;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemset(result, 0, sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sum_odd<<<1, n>>>(x, result);
  int value = 0;
  cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", value == 1024 ? "ok" : "wrong", value);
  cudaFree(x);
  cudaFree(result);
  return 0;
}
