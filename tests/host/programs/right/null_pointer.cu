// A null pointer that the kernel looks at, and does not follow.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Buffers {
  float* in = nullptr;
  float* out = nullptr;
  int* signs = nullptr;  // if wanted
};

__global__ void twice(int n, Buffers buffers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  buffers.out[i] = 2.0f * buffers.in[i];
  if (buffers.signs != nullptr) buffers.signs[i] = buffers.in[i] < 0 ? -1 : 1;
}

int main() {
  const int n = 100;
  std::vector<float> host(n, -2.0f);
  Buffers buffers;
  cudaMalloc(&buffers.in, n * sizeof(float));
  cudaMalloc(&buffers.out, n * sizeof(float));
  cudaMemcpy(buffers.in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<1, 128>>>(n, buffers);
  cudaMemcpy(host.data(), buffers.out, n * sizeof(float), cudaMemcpyDeviceToHost);
  bool good = true;
  for (const float value : host) good = good && value == -4.0f;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(buffers.in);
  cudaFree(buffers.out);
  cudaFree(buffers.signs);
  return 0;
}
