// A kernel frees what it allocated twice.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void sum(int n, int* out) {
  int* const scratch = static_cast<int*>(malloc(n * sizeof(int)));
  if (scratch == nullptr) return;
  int total = 0;
  for (int i = 0; i < n; ++i) scratch[i] = i;
  for (int i = 0; i < n; ++i) total += scratch[n - 1 - i];
  free(scratch);
  out[threadIdx.x] = total;
  if (total > 0) free(scratch);
}

int main() {
  int *out, host[4] = {};
  cudaMalloc(&out, sizeof host);
  sum<<<1, 4>>>(10, out);
  const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
