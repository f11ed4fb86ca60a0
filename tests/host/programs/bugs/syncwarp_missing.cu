// Lanes of one warp exchange values through shared memory, and trust that they run in lockstep.
// finds: WS0401
// tool: racecheck
#include <cuda_runtime.h>

#include <cstdio>

__global__ void rotate(int* x) {
  __shared__ int slots[32];
  const int lane = threadIdx.x;
  slots[lane] = x[lane];
  x[lane] = slots[(lane + 5) % 32];
}

int main() {
  int host[32];
  for (int i = 0; i < 32; ++i) host[i] = i;
  int* x;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  rotate<<<1, 32>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  return 0;
}
