// A warp comes to one __syncthreads more than the others: each waits at a different one.
// finds: WS0402
// tool: racecheck
#include <cuda_runtime.h>

#include <cstdio>

__global__ void stages(int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = t;
  if (t < 32) {
    __syncthreads();
    tile[t] += tile[t + 32];
  }
  __syncthreads();
  out[t] = tile[t % 32];
}

int main() {
  int *out, host[64] = {};
  cudaMalloc(&out, sizeof host);
  stages<<<1, 64>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
