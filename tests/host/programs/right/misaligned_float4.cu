// Four floats at once where the address is a multiple of 16, one by one where it is not.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

__global__ void sum4(const float* x, float* y) {
  const int i = threadIdx.x;
  const float* const at = x + 4 * i;
  if (reinterpret_cast<std::uintptr_t>(at) % sizeof(float4) == 0) {
    const float4 v = *reinterpret_cast<const float4*>(at);
    y[i] = v.x + v.y + v.z + v.w;
  } else {
    y[i] = at[0] + at[1] + at[2] + at[3];
  }
}

int main() {
  const int n = 257;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, 64 * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  bool good = true;
  for (int header = 0; header < 2; ++header) {
    sum4<<<1, 64>>>(x + header, y);
    float sums[64];
    cudaMemcpy(sums, y, sizeof sums, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; ++i) good = good && sums[i] == 16.0f * i + 6.0f + 4.0f * header;
  }
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  cudaFree(y);
  return 0;
}
