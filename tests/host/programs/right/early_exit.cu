// Threads behind the end leave before a barrier, which waits for those that are still there.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <numeric>
#include <vector>

__global__ void reverse(int n, int* x) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  if (t >= n) return;
  tile[t] = x[t];
  __syncthreads();
  x[t] = tile[n - 1 - t];
}

int main() {
  const int n = 75;
  std::vector<int> host(n);
  std::iota(host.begin(), host.end(), 0);
  int* x;
  cudaMalloc(&x, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse<<<1, 128>>>(n, x);
  cudaMemcpy(host.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && host[i] == n - 1 - i;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  return 0;
}
