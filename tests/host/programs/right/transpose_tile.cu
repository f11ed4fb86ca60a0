// A transposition through a padded tile in shared memory, of a matrix whose sides are no multiples of the tile's.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kTile = 32, kRows = 8;

__global__ void transpose(int width, int height, const float* in, float* out) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows)
    if (x < width && y + k < height) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
  __syncthreads();
  const int tx = blockIdx.y * kTile + threadIdx.x, ty = blockIdx.x * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows)
    if (tx < height && ty + k < width) out[(ty + k) * height + tx] = tile[threadIdx.x][threadIdx.y + k];
}

int main() {
  const int width = 70, height = 45;
  std::vector<float> host(width * height), result(width * height);
  for (int k = 0; k < width * height; ++k) host[k] = static_cast<float>(k);
  const size_t bytes = host.size() * sizeof(float);
  float *in, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice);
  transpose<<<dim3((width + 31) / 32, (height + 31) / 32), dim3(kTile, kRows)>>>(width, height, in, out);
  cudaMemcpy(result.data(), out, bytes, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) good = good && result[x * height + y] == host[y * width + x];
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(in);
  cudaFree(out);
  return 0;
}
