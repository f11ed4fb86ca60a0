// A copy to the device is as long as the host's vector, which is longer than the buffer.
// finds: WS1004
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

int main() {
  const int n = 1000;
  std::vector<float> host(n + 24, 1.0f);  // rounded up to whole blocks
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  const cudaError_t error = cudaMemcpy(x, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(x);
  return 0;
}
