// The kernel reverses into a pointer to the last element, and goes one element too far down.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void reverse(int n, const int* x, int* last) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) *(last - i - 1) = x[i];
}

int main() {
  const int n = 256;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemset(y, 0, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse<<<2, 128>>>(n, x, y + n - 1);
  cudaDeviceSynchronize();
  cudaMemcpy(host.data(), y, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
