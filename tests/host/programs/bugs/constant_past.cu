// An index into a table of constants is one too large.
// finds: WS0601
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__constant__ float month_days[12];

__global__ void days(const int* month, float* out) {
  const int i = threadIdx.x;
  out[i] = month_days[month[i]];
}

int main() {
  const float host[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  cudaMemcpyToSymbol(month_days, host, sizeof host);
  int months[12];
  for (int k = 0; k < 12; ++k) months[k] = k + 1;  // as people count them
  int* month;
  float* out;
  cudaMalloc(&month, sizeof months);
  cudaMalloc(&out, 12 * sizeof(float));
  cudaMemcpy(month, months, sizeof months, cudaMemcpyHostToDevice);
  days<<<1, 12>>>(month, out);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(month);
  cudaFree(out);
  return 0;
}
