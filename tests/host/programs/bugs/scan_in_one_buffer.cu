// A scan in one shared buffer has one barrier a step, where it needs two.
// finds: WS0401 WS0402
// tool: racecheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void scan(int* x) {
  __shared__ int sums[128];
  const int t = threadIdx.x;
  sums[t] = x[t];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    if (t >= step) sums[t] += sums[t - step];
    __syncthreads();
  }
  x[t] = sums[t];
}

int main() {
  std::vector<int> host(128, 1);
  int* x;
  cudaMalloc(&x, 128 * sizeof(int));
  cudaMemcpy(x, host.data(), 128 * sizeof(int), cudaMemcpyHostToDevice);
  scan<<<1, 128>>>(x);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  return 0;
}
