// The kernel reverses into a pointer behind the last element.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void reverse(int n, const int* x, int* end) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) *(end - i - 1) = x[i];
}

int main() {
  const int n = 256;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse<<<2, 128>>>(n, x, y + n);
  cudaMemcpy(host.data(), y, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && host[i] == n - 1 - i;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
