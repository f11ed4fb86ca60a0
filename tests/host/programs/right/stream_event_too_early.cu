// The event is recorded twice; the second time, behind the kernel, counts.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int n, int value, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

__global__ void twice(int n, const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
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
  cudaEventRecord(ready, first);
  fill<<<4, 256, 0, first>>>(n, 7, x);
  cudaEventRecord(ready, first);
  cudaStreamWaitEvent(second, ready, 0);
  twice<<<4, 256, 0, second>>>(n, x, y);
  cudaMemcpyAsync(host, y, n * sizeof(int), cudaMemcpyDeviceToHost, second);
  cudaStreamSynchronize(second);
  const int equal = count(n, 14, host);
  std::printf("%s %d\n", equal == n ? "ok" : "wrong", equal);
  cudaEventDestroy(ready);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFreeHost(host);
  cudaFree(x);
  cudaFree(y);
  return 0;
}
