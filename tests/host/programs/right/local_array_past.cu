// Counts digits in a local array that is indexed at run time.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void most_common_digit(int n, const int* x, int* digit) {
  int count[10] = {};
  for (int i = 0; i < n; ++i) ++count[x[threadIdx.x * n + i] % 10];
  int best = 0;
  for (int k = 1; k < 10; ++k)
    if (count[k] > count[best]) best = k;
  digit[threadIdx.x] = best;
}

int main() {
  const int n = 40, threads = 32;
  std::vector<int> host(n * threads);
  for (int i = 0; i < n * threads; ++i) host[i] = i % 3 == 0 ? i / n % 10 : i % 10;
  int *x, *digit;
  cudaMalloc(&x, host.size() * sizeof(int));
  cudaMalloc(&digit, threads * sizeof(int));
  cudaMemcpy(x, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  most_common_digit<<<1, threads>>>(n, x, digit);
  int result[threads];
  cudaMemcpy(result, digit, sizeof result, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int t = 0; t < threads; ++t) good = good && result[t] == t % 10;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(digit);
  return 0;
}
