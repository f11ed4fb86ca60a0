// Threads arrive at a cuda::barrier that nobody has initialised.
// finds: WS0504
// tool: synccheck
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void count(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1);
  (void)barrier.arrive();
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}

int main() {
  int *out, result = 0;
  cudaMalloc(&out, sizeof(int));
  count<<<1, 32>>>(out);
  const cudaError_t error = cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
