// A histogram in shared memory is counted up from what was there before.
// finds: WS0105
// tool: none
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void histogram(int n, const unsigned char* text, unsigned* bins) {
  __shared__ unsigned here[16];
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&here[text[i] % 16], 1u);
  __syncthreads();
  if (threadIdx.x < 16) bins[threadIdx.x] = here[threadIdx.x];
}

int main() {
  const int n = 1000;
  std::vector<unsigned char> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<unsigned char>(i * i);
  unsigned char* text;
  unsigned *bins, result[16] = {};
  cudaMalloc(&text, n);
  cudaMalloc(&bins, sizeof result);
  cudaMemcpy(text, host.data(), n, cudaMemcpyHostToDevice);
  histogram<<<1, 128>>>(n, text, bins);
  cudaMemcpy(result, bins, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(text);
  cudaFree(bins);
  return 0;
}
