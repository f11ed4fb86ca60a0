// The last warp of a reduction has __syncwarp between its steps.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum(const int* x, int* result) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  part[t] = x[t];
  __syncthreads();
  if (t >= 32) return;
  int mine = part[t];
  for (int half = 32; half > 0; half /= 2) {
    mine += part[t + half];
    __syncwarp();
    part[t] = mine;
    __syncwarp();
  }
  if (t == 0) *result = mine;
}

int main() {
  std::vector<int> host(64);
  for (int i = 0; i < 64; ++i) host[i] = i;
  int *x, *result, value = 0;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemcpy(x, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<1, 64>>>(x, result);
  cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost);
  std::printf("%s\n", value == 2016 ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(result);
  return 0;
}
