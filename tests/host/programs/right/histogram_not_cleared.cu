// A histogram in shared memory that is cleared first, and added to the whole one by atomics.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void histogram(int n, const unsigned char* text, unsigned* bins) {
  __shared__ unsigned here[16];
  if (threadIdx.x < 16) here[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&here[text[i] % 16], 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], here[threadIdx.x]);
}

int main() {
  const int n = 1000;
  std::vector<unsigned char> host(n);
  unsigned expected[16] = {};
  for (int i = 0; i < n; ++i) ++expected[(host[i] = static_cast<unsigned char>(i * 7 + i / 10)) % 16];
  unsigned char* text;
  unsigned *bins, result[16] = {};
  cudaMalloc(&text, n);
  cudaMalloc(&bins, sizeof result);
  cudaMemset(bins, 0, sizeof result);
  cudaMemcpy(text, host.data(), n, cudaMemcpyHostToDevice);
  histogram<<<3, 128>>>(n, text, bins);
  cudaMemcpy(result, bins, sizeof result, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int k = 0; k < 16; ++k) good = good && result[k] == expected[k];
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(text);
  cudaFree(bins);
  return 0;
}
