// A cuda::barrier expects one thread more than the block has.
// finds: WS0704
// tool: none
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void exchange(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x + 1);
  __syncthreads();
  tile[t] = t;
  barrier.arrive_and_wait();
  out[t] = tile[63 - t];
}

int main() {
  int *out, host[64] = {};
  cudaMalloc(&out, sizeof host);
  exchange<<<1, 64>>>(out);
  const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
