// The transposed matrix is written with the stride of the other one, which is larger.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void transpose(int width, int height, const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * width + y] = in[y * width + x];
}

int main() {
  const int width = 96, height = 40;
  std::vector<float> host(width * height, 1.0f);
  float *in, *out;
  cudaMalloc(&in, host.size() * sizeof(float));
  cudaMalloc(&out, host.size() * sizeof(float));
  cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  transpose<<<grid, block>>>(width, height, in, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(in);
  cudaFree(out);
  return 0;
}
