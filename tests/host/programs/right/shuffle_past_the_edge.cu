// A scan of a warp, in which a lane without a source adds nothing.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void scan(int* x) {
  const int lane = threadIdx.x;
  int value = x[lane];
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(0xffffffff, value, step);
    if (lane >= step) value += other;
  }
  x[lane] = value;
}

int main() {
  int host[32];
  for (int& value : host) value = 1;
  int* x;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  scan<<<1, 32>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < 32; ++i) good = good && host[i] == i + 1;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  return 0;
}
