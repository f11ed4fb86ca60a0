// Every block adds to one total in global memory with atomicAdd.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void count_even(int n, const int* x, int* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int here = __syncthreads_count(i < n && x[i] % 2 == 0);
  if (threadIdx.x == 0) atomicAdd(total, here);
}

int main() {
  const int n = 1024;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  int *x, *total, result = 0;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  count_even<<<n / 128, 128>>>(n, x, total);
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", result == 512 ? "ok" : "wrong", result);
  cudaFree(x);
  cudaFree(total);
  return 0;
}
