// A ballot names the whole warp in a branch, and the other lanes wait at a barrier for those in it.
// finds: WS0303
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(const int* x, int* out) {
  const int lane = threadIdx.x;
  unsigned votes = 0;
  if (lane < 20) votes = __ballot_sync(0xffffffff, x[lane] > 0);
  __syncwarp();
  out[lane] = __popc(votes);
}

int main() {
  int host[32];
  for (int i = 0; i < 32; ++i) host[i] = i % 2;
  int *x, *out;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  count<<<1, 32>>>(x, out);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(out);
  return 0;
}
