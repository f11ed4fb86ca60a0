// A ballot names the whole warp in a branch, and the other lanes wait for those in it at __syncthreads.
// finds: WS0302
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(int* out) {
  __shared__ unsigned votes;
  const int lane = threadIdx.x;
  if (lane < 20) {
    const unsigned mine = __ballot_sync(0xffffffff, lane % 3 == 0);
    if (lane == 0) votes = mine;
  }
  __syncthreads();
  out[lane] = __popc(votes);
}

int main() {
  int *out, host[32] = {};
  cudaMalloc(&out, sizeof host);
  count<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
