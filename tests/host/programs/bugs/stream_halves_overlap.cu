// Two streams fill a half each, and the halves overlap by one element.
// finds: WS1008
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int n, int value, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
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
  fill<<<4, 256, 0, first>>>(n / 2 + 1, 7, y);
  fill<<<4, 256, 0, second>>>(n / 2, 8, y + n / 2);
  cudaDeviceSynchronize();
  cudaMemcpy(host, y, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = n / 2 + 1; i < n; ++i) host[i] = 7;
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
