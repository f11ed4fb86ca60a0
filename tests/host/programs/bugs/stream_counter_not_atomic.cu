// Two streams count into one counter, each kernel with one thread and without atomics.
// finds: WS1008
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void set(int value, int* total) { *total = *total * 2 + value; }

int main() {
  int *total, host = 0;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  cudaDeviceSynchronize();
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int k = 0; k < 2; ++k) set<<<1, 1, 0, streams[k]>>>(k, total);
  cudaDeviceSynchronize();
  cudaMemcpy(&host, total, sizeof(int), cudaMemcpyDeviceToHost);
  for (cudaStream_t& stream : streams) cudaStreamDestroy(stream);
  std::printf("%s %d\n", host == 1 ? "ok" : "wrong", host);
  cudaFree(total);
  return 0;
}
