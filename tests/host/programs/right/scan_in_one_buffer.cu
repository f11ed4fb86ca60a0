// A scan in two shared buffers that take turns, with one barrier a step.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void scan(int* x) {
  __shared__ int sums[2][128];
  const int t = threadIdx.x;
  int now = 0;
  sums[now][t] = x[t];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    sums[1 - now][t] = sums[now][t] + (t >= step ? sums[now][t - step] : 0);
    now = 1 - now;
    __syncthreads();
  }
  x[t] = sums[now][t];
}

int main() {
  std::vector<int> host(128, 3);
  int* x;
  cudaMalloc(&x, 128 * sizeof(int));
  cudaMemcpy(x, host.data(), 128 * sizeof(int), cudaMemcpyHostToDevice);
  scan<<<1, 128>>>(x);
  cudaMemcpy(host.data(), x, 128 * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < 128; ++i) good = good && host[i] == 3 * (i + 1);
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  return 0;
}
