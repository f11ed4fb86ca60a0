// A result is fetched after its buffer was freed.
// finds: WS1006
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fill(int n, int* x) {
  const int i = threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  const int n = 100;
  std::vector<int> host(n, -1);
  int* x;
  cudaMalloc(&x, n * sizeof(int));
  fill<<<1, 128>>>(n, x);
  cudaFree(x);
  const cudaError_t error = cudaMemcpy(host.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  return 0;
}
