// The pointer is freed and allocated anew before the kernel uses it.
// finds: nothing
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
  cudaMalloc(&table, n / 2 * sizeof(int));
  cudaFree(table);
  cudaMalloc(&table, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(table, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  look_up<<<n / 256, 256>>>(n, table, out);
  cudaFree(table);  // waits for the kernel
  std::vector<int> result(n);
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", result == host ? "ok" : "wrong");
  cudaFree(out);
  return 0;
}
