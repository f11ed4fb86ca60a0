// The sum of an array: shuffles in each warp, shared memory between warps, an atomic between blocks.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
  return value;
}

__global__ void sum(int n, const float* x, float* total) {
  __shared__ float parts[32];
  float value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) value += x[i];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_sum(value);
  if (lane == 0) parts[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < static_cast<int>(blockDim.x / 32) ? parts[lane] : 0;
    value = warp_sum(value);
    if (lane == 0) atomicAdd(total, value);
  }
}

int main() {
  const int n = 5000;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 10);
  float *x, *total, result = 0;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&total, sizeof(float));
  cudaMemset(total, 0, sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<6, 192>>>(n, x, total);
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s %g\n", result == 22500.0f ? "ok" : "wrong", result);
  cudaFree(x);
  cudaFree(total);
  return 0;
}
