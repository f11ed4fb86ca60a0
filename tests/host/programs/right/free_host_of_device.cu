// Every kind of memory is freed by the call that belongs to it.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

int main() {
  const int n = 64;
  int *plain = static_cast<int*>(std::malloc(n * sizeof(int))), *pinned, *device, *managed, *ordered;
  cudaMallocHost(&pinned, n * sizeof(int));
  cudaMalloc(&device, n * sizeof(int));
  cudaMallocManaged(&managed, n * sizeof(int));
  cudaMallocAsync(&ordered, n * sizeof(int), nullptr);
  for (int i = 0; i < n; ++i) plain[i] = i;
  cudaMemcpy(pinned, plain, n * sizeof(int), cudaMemcpyHostToHost);
  cudaMemcpy(device, pinned, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(ordered, device, n * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaMemcpy(managed, ordered, n * sizeof(int), cudaMemcpyDefault);
  cudaDeviceSynchronize();
  std::printf("%s %d\n", managed[63] == 63 ? "ok" : "wrong", managed[63]);
  cudaFreeAsync(ordered, nullptr);
  cudaFree(managed);
  cudaFree(device);
  cudaFreeHost(pinned);
  std::free(plain);
  return 0;
}
