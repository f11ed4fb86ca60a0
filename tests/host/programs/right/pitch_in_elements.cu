// Fills an image with a pitch and copies it to rows that are packed.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fill(float* image, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float* const row = reinterpret_cast<float*>(reinterpret_cast<char*>(image) + y * pitch);
  row[x] = 100.0f * y + x;
}

int main() {
  const int width = 100, height = 20;
  float* image;
  size_t pitch;
  cudaMallocPitch(&image, &pitch, width * sizeof(float), height);
  const dim3 block(32, 4), grid((width + 31) / 32, (height + 3) / 4);
  fill<<<grid, block>>>(image, pitch, width, height);
  std::vector<float> host(width * height);
  const size_t bytes = width * sizeof(float);
  cudaMemcpy2D(host.data(), bytes, image, pitch, bytes, height, cudaMemcpyDeviceToHost);
  bool good = pitch >= bytes;
  for (int k = 0; k < width * height; ++k) good = good && host[k] == static_cast<float>(k);
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(image);
  return 0;
}
