// A block's reduction in shared memory has no barrier between its steps.
// finds: WS0401 WS0402
// tool: racecheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum(const float* x, float* result) {
  __shared__ float part[256];
  const int t = threadIdx.x;
  part[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2)
    if (t < half) part[t] += part[t + half];
  if (t == 0) result[blockIdx.x] = part[0];
}

int main() {
  const int blocks = 4, n = 256 * blocks;
  std::vector<float> host(n, 1.0f);
  float *x, *result;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&result, blocks * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<blocks, 256>>>(x, result);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  cudaFree(result);
  return 0;
}
