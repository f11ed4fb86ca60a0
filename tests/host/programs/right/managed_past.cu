// Managed memory that the host and the device use in turn.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void offsets(int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] += 3 * i;
}

int main() {
  const int rows = 1024;
  int* out;
  cudaMallocManaged(&out, (rows + 1) * sizeof(int));
  for (int i = 0; i <= rows; ++i) out[i] = 1;
  offsets<<<rows / 256 + 1, 256>>>(rows, out);
  cudaDeviceSynchronize();
  bool good = true;
  for (int i = 0; i <= rows; ++i) good = good && out[i] == 3 * i + 1;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(out);
  return 0;
}
