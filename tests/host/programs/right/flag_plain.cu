// Flags between blocks by cuda::atomic_ref, with release and acquire.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/atomic>

__device__ int ready[8];

__global__ void chain(int* out) {
  const unsigned block = blockIdx.x;
  if (block > 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> before(ready[block - 1]);
    while (before.load(cuda::memory_order_acquire) == 0) {
    }
  }
  *out += static_cast<int>(block) + 1;
  cuda::atomic_ref<int, cuda::thread_scope_device> mine(ready[block]);
  mine.store(1, cuda::memory_order_release);
}

int main() {
  int *out, result = 0;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  chain<<<8, 1>>>(out);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", result == 36 ? "ok" : "wrong", result);
  cudaFree(out);
  return 0;
}
