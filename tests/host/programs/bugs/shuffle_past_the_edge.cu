// A scan of a warp adds what shuffles leave in the lanes that have no source.
// finds: WS0201
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void scan(int* x) {
  int value = x[threadIdx.x];
  for (int step = 1; step < 32; step *= 2) value += __shfl_up_sync(0xffffffff, value, step);
  x[threadIdx.x] = value;
}

int main() {
  int host[32];
  for (int& value : host) value = 1;
  int* x;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  scan<<<1, 32>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[31]);
  cudaFree(x);
  return 0;
}
