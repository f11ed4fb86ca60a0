// Each block writes one element more than it has threads, and its neighbour writes that one, too.
// finds: WS0403
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void label(int* x) {
  const int first = blockIdx.x * blockDim.x;
  for (int k = threadIdx.x; k <= static_cast<int>(blockDim.x); k += blockDim.x)
    x[first + k] = static_cast<int>(blockIdx.x);
}

int main() {
  const int blocks = 4, threads = 64, n = blocks * threads;
  int *x, last = -1;
  cudaMalloc(&x, (n + 1) * sizeof(int));
  label<<<blocks, threads>>>(x);
  cudaMemcpy(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%d\n", last);
  cudaFree(x);
  return 0;
}
