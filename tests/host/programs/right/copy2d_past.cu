// Copies of rectangles inside images with a pitch, in all directions.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

int main() {
  const size_t width = 60, height = 80;
  std::vector<unsigned char> host(width * height), back(width * height, 0);
  for (size_t k = 0; k < host.size(); ++k) host[k] = static_cast<unsigned char>(k % 251);
  unsigned char *image, *other;
  size_t pitch, other_pitch;
  cudaMallocPitch(&image, &pitch, width, height);
  cudaMallocPitch(&other, &other_pitch, width / 2, height / 2);
  cudaMemcpy2D(image, pitch, host.data(), width, width, height, cudaMemcpyHostToDevice);
  cudaMemcpy2D(other, other_pitch, image + 40 * pitch + 30, pitch, width / 2, height / 2, cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(back.data(), width, other, other_pitch, width / 2, height / 2, cudaMemcpyDeviceToHost);
  bool good = true;
  for (size_t y = 0; y < height / 2; ++y)
    for (size_t x = 0; x < width; ++x)
      good = good && back[y * width + x] == (x < width / 2 ? host[(y + 40) * width + x + 30] : 0);
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(image);
  cudaFree(other);
  return 0;
}
