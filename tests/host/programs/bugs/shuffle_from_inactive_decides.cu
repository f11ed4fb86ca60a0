// Lanes decide by what a shuffle took from a lane that does not take part.
// finds: WS0102
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void limit(const int* x, int* out) {
  const int lane = threadIdx.x;
  out[lane] = x[lane];
  if (lane < 16) {
    const int most = __shfl_sync(0x0000ffff, x[lane], 31);
    if (x[lane] > most) out[lane] = most;
  }
}

int main() {
  int *x, *out, host[32];
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  limit<<<1, 32>>>(x, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(out);
  return 0;
}
