// A table of constants, indexed by months as people count them.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__constant__ float month_days[12];

__global__ void days(const int* month, float* out) {
  const int i = threadIdx.x;
  out[i] = month_days[month[i] - 1];
}

int main() {
  const float host[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  cudaMemcpyToSymbol(month_days, host, sizeof host);
  int months[12];
  for (int k = 0; k < 12; ++k) months[k] = k + 1;
  int* month;
  float *out, result[12];
  cudaMalloc(&month, sizeof months);
  cudaMalloc(&out, 12 * sizeof(float));
  cudaMemcpy(month, months, sizeof months, cudaMemcpyHostToDevice);
  days<<<1, 12>>>(month, out);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  float sum = 0;
  for (const float value : result) sum += value;
  std::printf("%s %g\n", sum == 365 ? "ok" : "wrong", sum);
  cudaFree(month);
  cudaFree(out);
  return 0;
}
