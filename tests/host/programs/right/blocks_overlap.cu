// Blocks read elements that overlap, and write bytes that share words, but none twice.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void label(const int* x, unsigned char* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = static_cast<unsigned char>(x[i] + x[i + 1]);
}

int main() {
  const int blocks = 5, threads = 33, n = blocks * threads;
  std::vector<int> host(n + 1);
  for (int i = 0; i <= n; ++i) host[i] = i / 2;
  int* x;
  unsigned char *y, result[n];
  cudaMalloc(&x, (n + 1) * sizeof(int));
  cudaMalloc(&y, n);
  cudaMemcpy(x, host.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  label<<<blocks, threads>>>(x, y);
  cudaMemcpy(result, y, n, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && result[i] == i;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
