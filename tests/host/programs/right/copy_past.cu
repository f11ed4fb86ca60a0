// Copies of parts of a buffer, up to its very end, and of no byte at all behind it.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

int main() {
  const int n = 1000;
  std::vector<float> host(n + 24), back(n);
  for (int i = 0; i < n + 24; ++i) host[i] = static_cast<float>(i);
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(x + n - 24, host.data() + n, 24 * sizeof(float), cudaMemcpyHostToDevice);
  const cudaError_t error = cudaMemcpy(x + n, host.data(), 0, cudaMemcpyHostToDevice);
  cudaMemcpy(back.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  const bool good = error == cudaSuccess && back[0] == 0 && back[975] == 975 && back[976] == 1000 && back[999] == 1023;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(x);
  return 0;
}
