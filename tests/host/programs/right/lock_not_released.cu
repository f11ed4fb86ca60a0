// A lock that is released on every path, taken by all lanes of a warp one after the other.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__device__ int lock;
__device__ int stock = 30;

__global__ void take(int* out) {
  for (bool done = false; !done;) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      const int left = stock;
      if (left > 0) {
        stock = left - 1;
        atomicAdd(out, 1);
      }
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}

int main() {
  int *out, result = 0;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  take<<<2, 32>>>(out);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", result == 30 ? "ok" : "wrong", result);
  cudaFree(out);
  return 0;
}
