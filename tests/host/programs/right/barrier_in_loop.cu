// A loop with barriers in it, whose rounds are the same for the whole block, as __syncthreads_or decides.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void halve_until_odd(const int* x, int* y, int* rounds) {
  const int t = threadIdx.x;
  int value = x[t], count = 0;
  while (__syncthreads_or(value % 2 == 0)) {
    if (value % 2 == 0) value /= 2;
    ++count;
  }
  y[t] = value;
  if (t == 0) *rounds = count;
}

int main() {
  std::vector<int> host(64), result(64);
  for (int i = 0; i < 64; ++i) host[i] = i + 1;
  int *x, *y, *rounds, count = 0;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  cudaMalloc(&rounds, sizeof(int));
  cudaMemcpy(x, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  halve_until_odd<<<1, 64>>>(x, y, rounds);
  cudaMemcpy(result.data(), y, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&count, rounds, sizeof count, cudaMemcpyDeviceToHost);
  bool good = count == 6;
  for (const int value : result) good = good && value % 2 == 1;
  std::printf("%s %d\n", good ? "ok" : "wrong", count);
  cudaFree(x);
  cudaFree(y);
  cudaFree(rounds);
  return 0;
}
