// A memory pool of its own, whose memory is used again, and a buffer that is grown.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void append(int from, int to, int* x) {
  const int i = from + static_cast<int>(threadIdx.x);
  if (i < to) x[i] = i;
}

int main() {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  cudaMemPool_t pool;
  cudaMemPoolCreate(&pool, &properties);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *x, size = 16;
  cudaMallocFromPoolAsync(&x, size * sizeof(int), pool, stream);
  append<<<1, 128, 0, stream>>>(0, size, x);
  while (size < 128) {
    int* larger;
    cudaMallocFromPoolAsync(&larger, 2 * size * sizeof(int), pool, stream);
    cudaMemcpyAsync(larger, x, size * sizeof(int), cudaMemcpyDeviceToDevice, stream);
    append<<<1, 128, 0, stream>>>(size, 2 * size, larger);
    cudaFreeAsync(x, stream);
    x = larger;
    size *= 2;
  }
  int host[128];
  cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(x, stream);
  cudaStreamSynchronize(stream);
  bool good = true;
  for (int i = 0; i < 128; ++i) good = good && host[i] == i;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaStreamDestroy(stream);
  cudaMemPoolDestroy(pool);
  return 0;
}
