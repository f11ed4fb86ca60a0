// The pitch counts bytes, and is added to a pointer to float.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(float* image, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float* const row = image + y * pitch;
  row[x] = 1.0f;
}

int main() {
  const int width = 100, height = 20;
  float* image;
  size_t pitch;
  cudaMallocPitch(&image, &pitch, width * sizeof(float), height);
  const dim3 block(32, 4), grid((width + 31) / 32, (height + 3) / 4);
  fill<<<grid, block>>>(image, pitch, width, height);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(image);
  return 0;
}
