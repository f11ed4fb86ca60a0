// A __syncthreads in a branch that all threads take, and one behind a branch that half of a warp takes.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fold(bool twice, const int* x, int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  if (t % 2 == 0) tile[t] += tile[t + 1];
  __syncthreads();
  if (twice) {
    const int other = tile[t ^ 2];
    __syncthreads();
    tile[t] += other;
    __syncthreads();
  }
  y[t] = tile[t & ~1];
}

int main() {
  std::vector<int> host(64, 2), result(64);
  int *x, *y;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  cudaMemcpy(x, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  bool good = true;
  for (const bool twice : {false, true}) {
    fold<<<1, 64>>>(twice, x, y);
    cudaMemcpy(result.data(), y, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    for (const int value : result) good = good && value == (twice ? 8 : 4);
  }
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
