// A constant is changed in the stream of both kernels that read it.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__constant__ int kValue;

__global__ void set(int n, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = kValue;
}

static int count(int n, int value, const int* x) {
  int equal = 0;
  for (int i = 0; i < n; ++i) equal += x[i] == value;
  return equal;
}

int main() {
  const int n = 1000;
  int *host, *x, *y;
  cudaMallocHost(&host, n * sizeof(int));
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemset(x, 0, n * sizeof(int));
  cudaMemset(y, 0, n * sizeof(int));
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t ready;
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  cudaDeviceSynchronize();
  int value = 8;
  cudaMemcpyToSymbolAsync(kValue, &value, sizeof(int), 0, cudaMemcpyHostToDevice, second);
  set<<<4, 256, 0, second>>>(n, x);
  value = 7;
  cudaMemcpyToSymbolAsync(kValue, &value, sizeof(int), 0, cudaMemcpyHostToDevice, second);
  set<<<4, 256, 0, second>>>(n, y);
  cudaMemcpyAsync(host, y, n * sizeof(int), cudaMemcpyDeviceToHost, second);
  cudaStreamSynchronize(second);
  const int equal = count(n, 7, host);
  std::printf("%s %d\n", equal == n ? "ok" : "wrong", equal);
  cudaEventDestroy(ready);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFreeHost(host);
  cudaFree(x);
  cudaFree(y);
  return 0;
}
