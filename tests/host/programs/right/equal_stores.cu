// All threads that find something store the same value to one flag, which is allowed.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void any_negative(int n, const int* x, int* found) {
  __shared__ int here;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) here = 0;
  __syncthreads();
  if (i < n && x[i] < 0) here = 1;
  __syncthreads();
  if (threadIdx.x == 0 && here != 0) *found = 1;
}

int main() {
  const int n = 1000;
  std::vector<int> host(n, 1);
  for (int i = 0; i < n; i += 3) host[i] = -1;
  int *x, *found, result = 0;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&found, sizeof(int));
  cudaMemset(found, 0, sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  any_negative<<<(n + 127) / 128, 128>>>(n, x, found);
  cudaMemcpy(&result, found, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s\n", result == 1 ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(found);
  return 0;
}
