// The host writes its own part of managed memory while a kernel uses another.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void twice(int n, const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}

static int count(int n, int value, const int* x) {
  int equal = 0;
  for (int i = 0; i < n; ++i) equal += x[i] == value;
  return equal;
}

int main() {
  const int n = 5000;
  int *x, *y;
  cudaMallocManaged(&x, 2 * n * sizeof(int));
  cudaMallocManaged(&y, 2 * n * sizeof(int));
  for (int i = 0; i < n; ++i) x[i] = 1;
  twice<<<20, 256>>>(n, x, y);
  for (int i = n; i < 2 * n; ++i) x[i] = 1, y[i] = 2;
  cudaDeviceSynchronize();
  const int equal = count(2 * n, 2, y) / 2;
  cudaFree(y);
  std::printf("%s %d\n", equal == n ? "ok" : "wrong", equal);
  cudaFree(x);
  return 0;
}
