// A ballot of the lanes in a branch names these alone.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(const int* x, int* out) {
  const int lane = threadIdx.x;
  unsigned votes = 0;
  if (lane < 20) votes = __ballot_sync(0x000fffff, x[lane] > 0);
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
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s %d %d\n", host[0] == 10 && host[19] == 10 && host[20] == 0 ? "ok" : "wrong", host[0], host[31]);
  cudaFree(x);
  cudaFree(out);
  return 0;
}
