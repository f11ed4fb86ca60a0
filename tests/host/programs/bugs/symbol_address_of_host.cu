// The kernel gets the address of a __device__ variable as the host sees it, which is none of the device.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__device__ int hits;

__global__ void count(int n, int* counter) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 3 == 0) atomicAdd(counter, 1);
}

int main() {
  int* const counter = &hits;
  count<<<2, 64>>>(100, counter);
  const cudaError_t error = cudaDeviceSynchronize();
  int found = 0;
  if (error == cudaSuccess) cudaMemcpyFromSymbol(&found, hits, sizeof found);
  std::printf("%d\n", found);
  return 0;
}
