// Two streams count into one counter by atomics: no order is needed.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(int n, int* total) {
  if (blockIdx.x * blockDim.x + threadIdx.x < n) atomicAdd(total, 1);
}

int main() {
  int *total, host = 0;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  cudaDeviceSynchronize();
  cudaStream_t streams[3];
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int k = 0; k < 6; ++k) count<<<4, 64, 0, streams[k % 3]>>>(200, total);
  cudaDeviceSynchronize();
  cudaMemcpy(&host, total, sizeof(int), cudaMemcpyDeviceToHost);
  for (cudaStream_t& stream : streams) cudaStreamDestroy(stream);
  std::printf("%s %d\n", host == 1200 ? "ok" : "wrong", host);
  cudaFree(total);
  return 0;
}
