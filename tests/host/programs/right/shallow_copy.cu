// A structure is copied to the device together with what its pointer leads to.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

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
  const float coefficients[4] = {1, 1, 1, 1};
  Polynomial host = {3, nullptr};
  cudaMalloc(&host.coefficients, sizeof coefficients);
  cudaMemcpy(host.coefficients, coefficients, sizeof coefficients, cudaMemcpyHostToDevice);
  Polynomial* p;
  float* y;
  cudaMalloc(&p, sizeof host);
  cudaMalloc(&y, 32 * sizeof(float));
  cudaMemcpy(p, &host, sizeof host, cudaMemcpyHostToDevice);
  evaluate<<<1, 32>>>(p, y);
  float result[32];
  cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s %g %g %g\n", result[4] == 4.0f && result[8] == 15.0f ? "ok" : "wrong", result[0], result[4],
              result[8]);
  cudaFree(p);
  cudaFree(y);
  cudaFree(host.coefficients);
  return 0;
}
