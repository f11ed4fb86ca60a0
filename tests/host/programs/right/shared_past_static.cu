// A tile with a halo of one element on each side.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void neighbours(int n, const int* x, int* y) {
  __shared__ int tile[130];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + 1;
  tile[t] = i < n ? x[i] : 0;
  if (threadIdx.x == 0) tile[0] = i > 0 ? x[i - 1] : 0;
  if (threadIdx.x == blockDim.x - 1) tile[t + 1] = i + 1 < n ? x[i + 1] : 0;
  __syncthreads();
  if (i < n) y[i] = tile[t - 1] + tile[t] + tile[t + 1];
}

int main() {
  const int n = 1000;
  std::vector<int> host(n, 7), result(n);
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  neighbours<<<(n + 127) / 128, 128>>>(n, x, y);
  cudaMemcpy(result.data(), y, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && result[i] == (i == 0 || i == n - 1 ? 14 : 21);
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
