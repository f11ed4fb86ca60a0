// Each half of a warp shuffles with its own mask.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void sum(int* out) {
  const unsigned mask = threadIdx.x < 16 ? 0x0000ffff : 0xffff0000;
  int value = threadIdx.x;
  for (int step = 8; step > 0; step /= 2) value += __shfl_xor_sync(mask, value, step, 16);
  out[threadIdx.x] = value;
}

int main() {
  int *out, host[32] = {};
  cudaMalloc(&out, sizeof host);
  sum<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < 32; ++i) good = good && host[i] == (i < 16 ? 120 : 376);
  std::printf("%s %d %d\n", good ? "ok" : "wrong", host[0], host[31]);
  cudaFree(out);
  return 0;
}
