// An owner that can be moved and not copied, and a free of null.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>

struct Buffer {
  int* data = nullptr;
  explicit Buffer(int n) { cudaMalloc(&data, n * sizeof(int)); }
  Buffer(Buffer&& other) noexcept : data(std::exchange(other.data, nullptr)) {}
  Buffer& operator=(Buffer&&) = delete;
  ~Buffer() { cudaFree(data); }
};

__global__ void fill(int n, int* x) {
  const int i = threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  int last = 0;
  {
    Buffer buffer(64);
    const Buffer moved = std::move(buffer);
    fill<<<1, 64>>>(64, moved.data);
    cudaMemcpy(&last, moved.data + 63, sizeof last, cudaMemcpyDeviceToHost);
  }
  const cudaError_t error = cudaFree(nullptr);
  std::printf("%s %d\n", last == 63 && error == cudaSuccess ? "ok" : "wrong", last);
  return 0;
}
