// Arithmetic in half precision, by ones and by twos.
// finds: nothing
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void axpy(int n, __half a, const __half* x, __half* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i + 1 < n) {
    const __half2 xs = reinterpret_cast<const __half2*>(x)[i];
    __half2* const ys = reinterpret_cast<__half2*>(y) + i;
    *ys = __hfma2(__half2half2(a), xs, *ys);
  } else if (2 * i < n) {
    y[2 * i] = __hfma(a, x[2 * i], y[2 * i]);
  }
}

int main() {
  const int n = 101;
  std::vector<__half> x(n), y(n, __float2half(1.0f));
  for (int i = 0; i < n; ++i) x[i] = __float2half(static_cast<float>(i));
  __half *dx, *dy;
  cudaMalloc(&dx, n * sizeof(__half));
  cudaMalloc(&dy, n * sizeof(__half));
  cudaMemcpy(dx, x.data(), n * sizeof(__half), cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y.data(), n * sizeof(__half), cudaMemcpyHostToDevice);
  axpy<<<1, 64>>>(n, __float2half(0.5f), dx, dy);
  cudaMemcpy(y.data(), dy, n * sizeof(__half), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && __half2float(y[i]) == 0.5f * i + 1.0f;
  std::printf("%s %g\n", good ? "ok" : "wrong", __half2float(y[100]));
  cudaFree(dx);
  cudaFree(dy);
  return 0;
}
