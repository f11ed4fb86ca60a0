// A block's reduction in shared memory, with a barrier between its steps.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum(const float* x, float* result) {
  __shared__ float part[256];
  const int t = threadIdx.x;
  part[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) result[blockIdx.x] = part[0];
}

int main() {
  const int blocks = 4, n = 256 * blocks;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 256 + i / 256);
  float *x, *result, sums[blocks];
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&result, blocks * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<blocks, 256>>>(x, result);
  cudaMemcpy(sums, result, sizeof sums, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int k = 0; k < blocks; ++k) good = good && sums[k] == 255.0f * 128.0f + 256.0f * k;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(result);
  return 0;
}
