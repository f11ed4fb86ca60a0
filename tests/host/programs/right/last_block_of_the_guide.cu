// The sum of an array as the CUDA C++ Programming Guide shows it for __threadfence: a volatile array and one fence.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ unsigned int count = 0;
__shared__ bool isLastBlockDone;

__global__ void sum(const float* array, unsigned int n, volatile float* result) {
  float partial = 0;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float block_sum;
  if (threadIdx.x == 0) block_sum = 0;
  __syncthreads();
  if (i < n) atomicAdd(&block_sum, array[i]);
  __syncthreads();
  if (threadIdx.x == 0) {
    result[blockIdx.x] = block_sum;
    __threadfence();
    const unsigned int value = atomicInc(&count, gridDim.x);
    isLastBlockDone = (value == (gridDim.x - 1));
  }
  __syncthreads();
  if (isLastBlockDone && threadIdx.x == 0) {
    for (unsigned k = 0; k < gridDim.x; ++k) partial += result[k];
    result[0] = partial;
    count = 0;
  }
}

int main() {
  const unsigned n = 1000, blocks = 8;
  std::vector<float> host(n, 2.0f);
  float *x, *result, value = 0;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&result, blocks * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<blocks, 128>>>(x, n, result);
  cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost);
  std::printf("%s %g\n", value == 2000.0f ? "ok" : "wrong", value);
  cudaFree(x);
  cudaFree(result);
  return 0;
}
