// A tiled product of matrices with both barriers.
// finds: nothing
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
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main() {
  const int n = 48;
  const size_t bytes = n * n * sizeof(float);
  std::vector<float> ah(n * n), bh(n * n), ch(n * n);
  for (int k = 0; k < n * n; ++k) ah[k] = static_cast<float>(k % 7), bh[k] = static_cast<float>(k % 5 - 2);
  float *a, *b, *c;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemcpy(a, ah.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, bh.data(), bytes, cudaMemcpyHostToDevice);
  multiply<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(n, a, b, c);
  cudaMemcpy(ch.data(), c, bytes, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += ah[i * n + k] * bh[k * n + j];
      good = good && sum == ch[i * n + j];
    }
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return 0;
}
