// The threads behind the end leave their elements of the tile unset, and nobody reads them.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void maximum(int n, const int* x, int* result) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  if (t < n) tile[t] = x[t];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half && t + half < n && tile[t + half] > tile[t]) tile[t] = tile[t + half];
    __syncthreads();
  }
  if (t == 0) *result = tile[0];
}

int main() {
  const int n = 100;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i * 41 % 97;
  int *x, *result, value = 0;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  maximum<<<1, 128>>>(n, x, result);
  cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", value == 96 ? "ok" : "wrong", value);
  cudaFree(x);
  cudaFree(result);
  return 0;
}
