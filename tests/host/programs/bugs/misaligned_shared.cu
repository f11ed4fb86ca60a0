// Dynamic shared memory is divided into an odd number of floats, and doubles behind them.
// finds: WS0602
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__global__ void weigh(int n, double* out) {
  extern __shared__ char memory[];
  float* const weights = reinterpret_cast<float*>(memory);
  double* const sums = reinterpret_cast<double*>(weights + n);
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
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
