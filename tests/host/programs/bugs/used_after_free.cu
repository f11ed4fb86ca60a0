// The table is freed once it has been uploaded, before the kernel that reads it is launched.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void look_up(int n, const int* table, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[(i * 7) % n];
}

int main() {
  const int n = 4096;
  const std::vector<int> host(n, 5);
  int *table, *out;
  cudaMalloc(&table, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(table, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaFree(table);
  look_up<<<n / 256, 256>>>(n, table, out);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
