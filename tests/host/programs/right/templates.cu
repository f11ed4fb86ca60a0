// Kernels by templates, with functors and with a block size that is known when compiling.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Plus {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
template <class T>
struct AtMost {
  T limit;
  __device__ T operator()(T a, T b) const {
    const T more = a > b ? a : b;
    return more < limit ? more : limit;
  }
};

template <class T, int kBlock, class F>
__global__ void fold(const T* x, T* result, F f) {
  __shared__ T parts[kBlock];
  parts[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] = f(parts[threadIdx.x], parts[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = parts[0];
}

template <class T, int kBlock, class F>
T folded(const std::vector<T>& host, F f) {
  T *x, *result, value{};
  cudaMalloc(&x, kBlock * sizeof(T));
  cudaMalloc(&result, sizeof(T));
  cudaMemcpy(x, host.data(), kBlock * sizeof(T), cudaMemcpyHostToDevice);
  fold<T, kBlock><<<1, kBlock>>>(x, result, f);
  cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(result);
  return value;
}

int main() {
  const int sum = folded<int, 128>(std::vector<int>(128, 3), Plus{});
  const double real = folded<double, 64>(std::vector<double>(64, 0.5), Plus{});
  const short most = folded<short, 32>(std::vector<short>(32, 70), AtMost<short>{50});
  std::printf("%s %d %g %d\n", sum == 384 && real == 32 && most == 50 ? "ok" : "wrong", sum, real, most);
  return 0;
}
