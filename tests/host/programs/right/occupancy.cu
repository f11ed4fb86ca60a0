// What the device and a kernel say of themselves decides the size of a launch.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void stride(int n, int* x) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = 2 * i;
}

int main() {
  int device = -1, blocks = 0, threads = 0, most = 0, each = 0;
  cudaGetDevice(&device);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, device);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, device);
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, stride, 0, 256);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, stride, 256, 0);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, stride);
  bool good = device == 0 && properties.warpSize == 32 && most == 1024 && threads > 0 && threads <= 256 && each > 0 &&
              blocks >= properties.multiProcessorCount && attributes.maxThreadsPerBlock == 1024;
  const int n = 3000;
  int *x, last = 0;
  cudaMalloc(&x, n * sizeof(int));
  stride<<<4, threads>>>(n, x);
  cudaMemcpy(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  good = good && last == 2 * (n - 1);
  std::printf("%s %d\n", good ? "ok" : "wrong", last);
  cudaFree(x);
  return 0;
}
