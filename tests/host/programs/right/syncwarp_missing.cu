// Lanes of one warp exchange values through shared memory, with __syncwarp on both sides.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void rotate(int times, int* x) {
  __shared__ int slots[32];
  const int lane = threadIdx.x;
  int value = x[lane];
  for (int k = 0; k < times; ++k) {
    slots[lane] = value;
    __syncwarp();
    value = slots[(lane + 5) % 32];
    __syncwarp();
  }
  x[lane] = value;
}

int main() {
  int host[32];
  for (int i = 0; i < 32; ++i) host[i] = i;
  int* x;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  rotate<<<1, 32>>>(3, x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < 32; ++i) good = good && host[i] == (i + 15) % 32;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  return 0;
}
