// Memory of the host that a kernel may use: pinned, and registered.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void add_one(int n, const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + 1;
}

int main() {
  const int n = 300;
  std::vector<int> host(n, 41);
  cudaHostRegister(host.data(), n * sizeof(int), cudaHostRegisterMapped);
  int *x, *y, *seen;
  cudaHostGetDevicePointer(&x, host.data(), 0);
  cudaHostAlloc(&y, n * sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&seen, y, 0);
  add_one<<<3, 128>>>(n, x, seen);
  cudaDeviceSynchronize();
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && y[i] == 42;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaHostUnregister(host.data());
  cudaFreeHost(y);
  return 0;
}
