// A structure is copied to the device, and the pointer in it still leads to the host.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

struct Polynomial {
  int degree;
  float* coefficients;
};

__global__ void evaluate(const Polynomial* p, float* y) {
  const float x = 0.25f * threadIdx.x;
  float value = 0;
  for (int k = p->degree; k >= 0; --k) value = value * x + p->coefficients[k];
  y[threadIdx.x] = value;
}

int main() {
  Polynomial host = {3, static_cast<float*>(std::malloc(4 * sizeof(float)))};
  for (int k = 0; k <= 3; ++k) host.coefficients[k] = 1.0f;
  Polynomial* p;
  float* y;
  cudaMalloc(&p, sizeof host);
  cudaMalloc(&y, 32 * sizeof(float));
  cudaMemcpy(p, &host, sizeof host, cudaMemcpyHostToDevice);
  evaluate<<<1, 32>>>(p, y);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(p);
  cudaFree(y);
  std::free(host.coefficients);
  return 0;
}
