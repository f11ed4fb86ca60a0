// Conway's game of life on a torus, with a halo in shared memory.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>
#include <vector>

constexpr int kSide = 16, kHalo = kSide + 2;

__global__ void generation(int n, const unsigned char* now, unsigned char* next) {
  __shared__ unsigned char tile[kHalo][kHalo];
  const int x0 = blockIdx.x * kSide - 1, y0 = blockIdx.y * kSide - 1;
  for (int k = threadIdx.y * kSide + threadIdx.x; k < kHalo * kHalo; k += kSide * kSide)
    tile[k / kHalo][k % kHalo] = now[(y0 + k / kHalo + n) % n * n + (x0 + k % kHalo + n) % n];
  __syncthreads();
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int living = -tile[ty][tx];
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) living += tile[ty + dy][tx + dx];
  next[(y0 + ty) * n + x0 + tx] = living == 3 || (living == 2 && tile[ty][tx] != 0);
}

int main() {
  const int n = 32;
  std::vector<unsigned char> host(n * n, 0), result(n * n);
  for (const auto& [x, y] : {std::pair(1, 0), {2, 1}, {0, 2}, {1, 2}, {2, 2}}) host[y * n + x] = 1;  // a glider
  unsigned char *now, *next;
  cudaMalloc(&now, n * n);
  cudaMalloc(&next, n * n);
  cudaMemcpy(now, host.data(), n * n, cudaMemcpyHostToDevice);
  for (int k = 0; k < 8; ++k) {
    generation<<<dim3(n / kSide, n / kSide), dim3(kSide, kSide)>>>(n, now, next);
    std::swap(now, next);
  }
  cudaMemcpy(result.data(), now, n * n, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) good = good && result[(y + 2) % n * n + (x + 2) % n] == host[y * n + x];
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(now);
  cudaFree(next);
  return 0;
}
