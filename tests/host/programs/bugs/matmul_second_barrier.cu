// A tiled product of matrices lacks the barrier behind the inner loop.
// finds: WS0401 WS0402
// tool: racecheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kTile = 16;

__global__ void multiply(int n, const float* a, const float* b, float* c) {
  __shared__ float at[kTile][kTile], bt[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;
  float sum = 0;
  for (int k = 0; k < n; k += kTile) {
    at[ty][tx] = a[row * n + k + tx];
    bt[ty][tx] = b[(k + ty) * n + column];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += at[ty][i] * bt[i][tx];
  }
  c[row * n + column] = sum;
}

int main() {
  const int n = 32;
  const size_t bytes = n * n * sizeof(float);
  std::vector<float> host(n * n, 1.0f);
  float *a, *b, *c;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemcpy(a, host.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, host.data(), bytes, cudaMemcpyHostToDevice);
  multiply<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(n, a, b, c);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return 0;
}
