// The last block has more threads than elements are left, and a guard keeps them out.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fill(int n, float value, float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = value * i;
}

int main() {
  const int n = 1000;
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  fill<<<(n + 255) / 256, 256>>>(n, 1.5f, x);
  std::vector<float> host(n);
  cudaMemcpy(host.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  bool good = cudaGetLastError() == cudaSuccess;
  for (int i = 0; i < n; ++i) good = good && host[i] == 1.5f * i;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  return 0;
}
