// All lanes shuffle, and the lower half alone uses what it reads from the upper half.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void broadcast(const int* x, int* out) {
  const int lane = threadIdx.x;
  int value = x[lane];
  const int other = __shfl_sync(0xffffffff, value, 20);
  if (lane < 16) value = other;
  out[lane] = value;
}

int main() {
  int *x, *out, host[32];
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  broadcast<<<1, 32>>>(x, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < 32; ++i) good = good && host[i] == (i < 16 ? 20 : i);
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(out);
  return 0;
}
