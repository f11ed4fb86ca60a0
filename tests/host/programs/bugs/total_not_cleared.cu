// A total that was only allocated is counted up by atomics.
// finds: WS0106
// tool: initcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum(int n, const int* x, int* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, x[i]);
}

int main() {
  const int n = 200;
  std::vector<int> host(n, 1);
  int *x, *total, result = 0;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<2, 128>>>(n, x, total);
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(total);
  return 0;
}
