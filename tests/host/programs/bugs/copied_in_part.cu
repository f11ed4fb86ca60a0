// cudaMemcpy copies n bytes of n numbers, and the kernel uses all of them.
// finds: WS0106
// tool: initcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void count_positive(int n, const int* x, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) atomicAdd(count, 1);
}

int main() {
  const int n = 256;
  std::vector<int> host(n, 1);
  int *x, *count, result = 0;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  cudaMemcpy(x, host.data(), n, cudaMemcpyHostToDevice);
  count_positive<<<2, 128>>>(n, x, count);
  cudaMemcpy(&result, count, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(count);
  return 0;
}
