// A result is fetched with the direction of an upload.
// finds: WS1005
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
  const cudaError_t error = cudaMemcpy(host.data(), x, n * sizeof(int), cudaMemcpyHostToDevice);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  return 0;
}
