// Dynamic shared memory is divided into doubles, and an odd number of floats behind them.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void weigh(int n, double* out) {
  extern __shared__ double memory[];
  double* const sums = memory;
  float* const weights = reinterpret_cast<float*>(sums + n);
  const int i = threadIdx.x;
  if (i < n) {
    weights[i] = 0.5f * i;
    sums[i] = 2.0 * weights[i];
    out[i] = sums[i];
  }
}

int main() {
  const int n = 33;
  double* out;
  cudaMalloc(&out, n * sizeof(double));
  weigh<<<1, 64, n*(sizeof(float) + sizeof(double))>>>(n, out);
  double host[n] = {};
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && host[i] == i;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(out);
  return 0;
}
