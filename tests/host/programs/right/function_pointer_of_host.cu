// The addresses of device functions come from the device itself.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

using Function = int (*)(int);

__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
__device__ Function functions[2] = {twice, square};

__global__ void apply(Function function, int* x) { x[threadIdx.x] = function(x[threadIdx.x] + 1); }

int main() {
  Function host[2];
  cudaMemcpyFromSymbol(host, functions, sizeof host);
  int *x, result[32];
  cudaMalloc(&x, sizeof result);
  cudaMemset(x, 0, sizeof result);
  for (const Function one : {host[0], host[1], host[0]}) apply<<<1, 32>>>(one, x);
  cudaMemcpy(result, x, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", result[0] == 20 && result[31] == 20 ? "ok" : "wrong", result[0]);
  cudaFree(x);
  return 0;
}
