// An image with a pitch is read as if its rows were packed, so that padding that nobody wrote is added, too.
// finds: WS0106
// tool: initcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void brightest(int width, int height, const unsigned char* image, int* most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height) atomicMax(most, image[y * width + x]);
}

int main() {
  const int width = 100, height = 8;
  std::vector<unsigned char> host(width * height, 50);
  unsigned char* image;
  size_t pitch;
  int *most, result = 0;
  cudaMallocPitch(&image, &pitch, width, height);
  cudaMalloc(&most, sizeof(int));
  cudaMemset(most, 0, sizeof(int));
  cudaMemcpy2D(image, pitch, host.data(), width, width, height, cudaMemcpyHostToDevice);
  brightest<<<dim3(1, height), 128>>>(width, height, image, most);
  cudaMemcpy(&result, most, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(image);
  cudaFree(most);
  return 0;
}
