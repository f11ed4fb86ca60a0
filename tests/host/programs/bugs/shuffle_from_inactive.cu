// The lower half reads by a shuffle from a lane of the upper half, which does not take part.
// finds: WS0102
// tool: none
// today: nothing (copies of undefined memory to the host are not reported)
#include <cuda_runtime.h>

#include <cstdio>

__global__ void broadcast(const int* x, int* out) {
  const int lane = threadIdx.x;
  int value = x[lane];
  if (lane < 16) value = __shfl_sync(0x0000ffff, value, 20);
  out[lane] = value;
}

int main() {
  int *x, *out, host[32] = {};
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemset(x, 0, sizeof host);
  broadcast<<<1, 32>>>(x, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(out);
  return 0;
}
