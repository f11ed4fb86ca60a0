// Threads of the host use a stream each, and meet before the sum is taken.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <thread>
#include <vector>

__global__ void add(int n, int value, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += value;
}

int main() {
  const int n = 256, parts = 4;
  int *x, *host;
  cudaMalloc(&x, parts * n * sizeof(int));
  cudaMallocHost(&host, parts * n * sizeof(int));
  cudaMemset(x, 0, parts * n * sizeof(int));
  cudaDeviceSynchronize();
  std::vector<std::thread> threads;
  for (int part = 0; part < parts; ++part)
    threads.emplace_back([=] {
      cudaStream_t stream;
      cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
      for (int k = 0; k < 3; ++k) add<<<1, 256, 0, stream>>>(n, part + k, x + part * n);
      cudaMemcpyAsync(host + part * n, x + part * n, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
      cudaStreamSynchronize(stream);
      cudaStreamDestroy(stream);
    });
  for (std::thread& one : threads) one.join();
  int sum = 0;
  for (int i = 0; i < parts * n; ++i) sum += host[i];
  std::printf("%s %d\n", sum == n * (4 * 3 + 3 * 6) ? "ok" : "wrong", sum);
  cudaFree(x);
  cudaFreeHost(host);
  return 0;
}
