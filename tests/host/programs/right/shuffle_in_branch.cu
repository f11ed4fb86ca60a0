// A shuffle of the whole warp before the lanes part, and shuffles of each side's lanes behind it.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void exchange(int* out) {
  const int lane = threadIdx.x;
  const int other = __shfl_xor_sync(0xffffffff, lane, 1);
  int value;
  if (lane % 2 == 0) {
    value = other + __shfl_sync(0x55555555, lane, 30);
  } else {
    value = other + __shfl_sync(0xaaaaaaaa, lane, 31);
  }
  out[lane] = value;
}

int main() {
  int *out, host[32] = {};
  cudaMalloc(&out, sizeof host);
  exchange<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < 32; ++i) good = good && host[i] == (i ^ 1) + 30 + i % 2;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(out);
  return 0;
}
