// The last warp of a reduction relies on lockstep and volatile, as code for GPUs before Volta did.
// finds: WS0401
// tool: racecheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum(const int* x, int* result) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  part[t] = x[t];
  __syncthreads();
  if (t < 32) {
    volatile int* const v = part;
    v[t] += v[t + 32];
    if (t < 16) v[t] += v[t + 16];
    if (t < 8) v[t] += v[t + 8];
    if (t < 4) v[t] += v[t + 4];
    if (t < 2) v[t] += v[t + 2];
    if (t < 1) *result = v[0] + v[1];
  }
}

int main() {
  std::vector<int> host(64, 2);
  int *x, *result;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemcpy(x, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<1, 64>>>(x, result);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(result);
  return 0;
}
