// A pinned buffer gets the next part while the copy of the part before may still read it.
// finds: WS1009
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

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
  for (int i = 0; i < n; ++i) host[i] = 7;
  cudaMemcpyAsync(y, host, n * sizeof(int), cudaMemcpyHostToDevice, second);
  for (int i = 0; i < n; ++i) host[i] = 8;
  cudaStreamSynchronize(second);
  cudaMemcpy(host, y, n * sizeof(int), cudaMemcpyDeviceToHost);
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
