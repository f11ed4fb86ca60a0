// cudaFreeHost gets memory of the device, and so it stays allocated.
// finds: WS1001 WS1003
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  const int n = 64;
  int *pinned, *device;
  cudaMallocHost(&pinned, n * sizeof(int));
  cudaMalloc(&device, n * sizeof(int));
  for (int i = 0; i < n; ++i) pinned[i] = i;
  cudaMemcpy(device, pinned, n * sizeof(int), cudaMemcpyHostToDevice);
  int last = 0;
  cudaMemcpy(&last, device + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%d\n", last);
  cudaFreeHost(device);
  cudaFreeHost(pinned);
  return 0;
}
