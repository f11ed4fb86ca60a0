// cudaMalloc gets the number of elements where it wants bytes.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__global__ void squares(int n, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i * i;
}

int main() {
  const int n = 2048;
  int* x;
  cudaMalloc(&x, n);
  squares<<<(n + 255) / 256, 256>>>(n, x);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("failed\n");
  } else {
    int last = 0;
    cudaMemcpy(&last, x + 10, sizeof last, cudaMemcpyDeviceToHost);
    std::printf("%d\n", last);
  }
  cudaFree(x);
  return 0;
}
