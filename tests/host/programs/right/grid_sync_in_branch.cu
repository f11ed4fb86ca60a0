// Two phases of a whole grid, with the grid's barrier between them.
// finds: nothing
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void phases(int n, int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = 2 * i;
  cooperative_groups::this_grid().sync();
  y[i] = x[(i + 50) % n];
}

int main() {
  int blocks = 4, n = blocks * 64, *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  void* arguments[] = {&n, &x, &y};
  const cudaError_t error = cudaLaunchCooperativeKernel(phases, dim3(blocks), dim3(64), arguments);
  std::vector<int> host(n);
  cudaMemcpy(host.data(), y, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = error == cudaSuccess;
  for (int i = 0; i < n; ++i) good = good && host[i] == (i + 50) % n * 2;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
