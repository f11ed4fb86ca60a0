// Two streams that wait for each other by events, with pinned memory and asynchronous copies.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(int n, int value, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += value;
}

__global__ void twice(int n, const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}

int main() {
  const int n = 1000;
  int *host, *x, *y;
  cudaMallocHost(&host, n * sizeof(int));
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t begin, filled, end;
  cudaEventCreate(&begin);
  cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
  cudaEventCreate(&end);
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaEventRecord(begin, first);
  cudaMemcpyAsync(x, host, n * sizeof(int), cudaMemcpyHostToDevice, first);
  add<<<4, 256, 0, first>>>(n, 5, x);
  cudaEventRecord(filled, first);
  cudaStreamWaitEvent(second, filled, 0);
  twice<<<4, 256, 0, second>>>(n, x, y);
  cudaMemcpyAsync(host, y, n * sizeof(int), cudaMemcpyDeviceToHost, second);
  cudaEventRecord(end, second);
  cudaEventSynchronize(end);
  float ms = -1;
  const cudaError_t timed = cudaEventElapsedTime(&ms, begin, end);
  bool good = timed == cudaSuccess && ms >= 0 && cudaStreamQuery(second) == cudaSuccess;
  for (int i = 0; i < n; ++i) good = good && host[i] == 2 * (i + 5);
  std::printf("%s\n", good ? "ok" : "wrong");
  for (const cudaEvent_t event : {begin, filled, end}) cudaEventDestroy(event);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(x);
  cudaFree(y);
  cudaFreeHost(host);
  return 0;
}
