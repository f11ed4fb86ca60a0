// Reverses through dynamic shared memory of the right size.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <numeric>
#include <vector>

__global__ void reverse(const int* x, int* y) {
  extern __shared__ int tile[];
  const int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  y[t] = tile[blockDim.x - 1 - t];
}

int main() {
  const int n = 256;
  std::vector<int> host(n), result(n);
  std::iota(host.begin(), host.end(), 0);
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse<<<1, n, n * sizeof(int)>>>(x, y);
  cudaMemcpy(result.data(), y, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && result[i] == n - 1 - i;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
