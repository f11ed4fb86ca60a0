// Memory allocated, used and freed in the order of one stream.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fill(int n, int factor, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = factor * i;
}

int main() {
  const int n = 1000;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  bool good = true;
  for (int round = 1; round <= 3; ++round) {
    int* x;
    cudaMallocAsync(&x, n * sizeof(int), stream);
    fill<<<4, 256, 0, stream>>>(n, round, x);
    std::vector<int> host(n);
    cudaMemcpyAsync(host.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(x, stream);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < n; ++i) good = good && host[i] == round * i;
  }
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaStreamDestroy(stream);
  return 0;
}
