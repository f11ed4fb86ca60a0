// Threads of the host, each with a stream and memory of its own.
// finds: nothing
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

__global__ void squares(int n, int factor, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = factor * i * i;
}

int main() {
  std::atomic<int> good = 0;
  const auto work = [&good](int factor) {
    const int n = 300;
    std::vector<int> host(n);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int* x;
    cudaMalloc(&x, n * sizeof(int));
    squares<<<3, 128, 0, stream>>>(n, factor, x);
    cudaMemcpyAsync(host.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    bool all = cudaGetLastError() == cudaSuccess;
    for (int i = 0; i < n; ++i) all = all && host[i] == factor * i * i;
    good += all ? 1 : 0;
    cudaFree(x);
    cudaStreamDestroy(stream);
  };
  std::vector<std::thread> threads;
  for (int k = 1; k <= 4; ++k) threads.emplace_back(work, k);
  for (std::thread& one : threads) one.join();
  std::printf("%s %d\n", good == 4 ? "ok" : "wrong", good.load());
  return 0;
}
