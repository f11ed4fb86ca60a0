// Two tiles take turns: one barrier between load and use is enough, since the next load goes to the other tile.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sums(int tiles, const int* x, int* y) {
  __shared__ int tile[2][64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < tiles; ++k) {
    tile[k % 2][t] = x[k * 64 + t];
    __syncthreads();
    sum += tile[k % 2][63 - t];
  }
  y[t] = sum;
}

int main() {
  const int tiles = 5;
  std::vector<int> host(64 * tiles), result(64);
  for (int i = 0; i < 64 * tiles; ++i) host[i] = i;
  int *x, *y;
  cudaMalloc(&x, host.size() * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  cudaMemcpy(x, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  sums<<<1, 64>>>(tiles, x, y);
  cudaMemcpy(result.data(), y, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int t = 0; t < 64; ++t) good = good && result[t] == 5 * (63 - t) + 640;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
