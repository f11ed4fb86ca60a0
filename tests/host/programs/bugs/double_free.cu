// Two owners free the same buffer.
// finds: WS1002
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

struct Buffer {
  int* data = nullptr;
  explicit Buffer(int n) { cudaMalloc(&data, n * sizeof(int)); }
  ~Buffer() { cudaFree(data); }
};

__global__ void fill(int n, int* x) {
  const int i = threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  {
    Buffer buffer(64);
    const Buffer copy = buffer;  // of the pointer alone
    fill<<<1, 64>>>(64, copy.data);
    int last = 0;
    cudaMemcpy(&last, buffer.data + 63, sizeof last, cudaMemcpyDeviceToHost);
    std::printf("%d\n", last);
  }
  return 0;
}
