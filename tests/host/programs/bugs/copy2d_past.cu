// A copy of rows mixes up width and height, and goes past the end of the image.
// finds: WS1004
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

int main() {
  const size_t width = 60, height = 80;
  std::vector<unsigned char> host(width * height * 2, 1);
  unsigned char* image;
  size_t pitch;
  cudaMallocPitch(&image, &pitch, width, height);
  cudaMemset2D(image, pitch, 0, width, height);
  const cudaError_t error = cudaMemcpy2D(image, pitch, host.data(), height, height, 2 * width, cudaMemcpyHostToDevice);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(image);
  return 0;
}
