// The host reads managed memory that a kernel writes when it has waited for the kernel.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int n, int value, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

static int count(int n, int value, const int* x) {
  int equal = 0;
  for (int i = 0; i < n; ++i) equal += x[i] == value;
  return equal;
}

int main() {
  const int n = 5000;
  int* x;
  cudaMallocManaged(&x, n * sizeof(int));
  fill<<<20, 256>>>(n, 7, x);
  cudaDeviceSynchronize();
  const int equal = count(n, 7, x);
  std::printf("%s %d\n", equal == n ? "ok" : "wrong", equal);
  cudaFree(x);
  return 0;
}
