// Transposes a matrix that is not square, each side with its own stride.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void transpose(int width, int height, const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

int main() {
  const int width = 96, height = 40;
  std::vector<float> host(width * height), result(width * height);
  for (int k = 0; k < width * height; ++k) host[k] = static_cast<float>(k);
  float *in, *out;
  cudaMalloc(&in, host.size() * sizeof(float));
  cudaMalloc(&out, host.size() * sizeof(float));
  cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  transpose<<<grid, block>>>(width, height, in, out);
  cudaMemcpy(result.data(), out, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) good = good && result[x * height + y] == host[y * width + x];
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(in);
  cudaFree(out);
  return 0;
}
