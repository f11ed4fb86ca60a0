// A cuda::barrier of a block, in two phases.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/barrier>
#include <utility>

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void exchange(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  tile[t] = t;
  barrier.arrive_and_wait();
  const int other = tile[63 - t];
  auto token = barrier.arrive();
  const int more = other * 2;
  barrier.wait(std::move(token));
  tile[t] = more;
  barrier.arrive_and_wait();
  out[t] = tile[t ^ 1];
}

int main() {
  int *out, host[64] = {};
  cudaMalloc(&out, sizeof host);
  exchange<<<1, 64>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int t = 0; t < 64; ++t) good = good && host[t] == 2 * (63 - (t ^ 1));
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(out);
  return 0;
}
