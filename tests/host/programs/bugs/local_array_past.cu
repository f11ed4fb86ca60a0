// A digit of ten is an index into a local array of nine.
// finds: WS0601
// tool: none
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void most_common_digit(int n, const int* x, int* digit) {
  int count[9];
  for (int k = 0; k < 9; ++k) count[k] = 0;
  for (int i = 0; i < n; ++i) ++count[x[threadIdx.x * n + i] % 10];
  int best = 0;
  for (int k = 1; k < 9; ++k)
    if (count[k] > count[best]) best = k;
  digit[threadIdx.x] = best;
}

int main() {
  const int n = 40, threads = 32;
  std::vector<int> host(n * threads);
  for (int i = 0; i < n * threads; ++i) host[i] = i * i;
  int *x, *digit;
  cudaMalloc(&x, host.size() * sizeof(int));
  cudaMalloc(&digit, threads * sizeof(int));
  cudaMemcpy(x, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  most_common_digit<<<1, threads>>>(n, x, digit);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(digit);
  return 0;
}
