// cudaFree gets what malloc gave.
// finds: WS1003
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

int main() {
  const int n = 64;
  int* const host = static_cast<int*>(std::malloc(n * sizeof(int)));
  int* device;
  cudaMalloc(&device, n * sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMemcpy(device, host, n * sizeof(int), cudaMemcpyHostToDevice);
  int last = 0;
  cudaMemcpy(&last, device + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%d\n", last);
  cudaFree(device);
  cudaFree(host);
  std::free(host);
  return 0;
}
