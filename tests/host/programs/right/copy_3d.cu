// A box with a pitch is filled, changed and copied by cudaMemcpy3D.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void number(cudaPitchedPtr box, cudaExtent extent) {
  const unsigned x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  if (x * sizeof(int) >= extent.width || y >= extent.height) return;
  char* const row = static_cast<char*>(box.ptr) + (z * extent.height + y) * box.pitch;
  reinterpret_cast<int*>(row)[x] += static_cast<int>(100 * z + 10 * y + x);
}

int main() {
  const size_t width = 7, height = 5, depth = 3;
  const cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
  cudaPitchedPtr box;
  cudaMalloc3D(&box, extent);
  cudaMemset3D(box, 0, extent);
  number<<<depth, dim3(8, 8)>>>(box, extent);
  std::vector<int> host(width * height * depth, -1);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(host.data(), width * sizeof(int), width, height);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&copy);
  bool good = true;
  for (size_t k = 0; k < host.size(); ++k)
    good = good && host[k] == static_cast<int>(100 * (k / 35) + 10 * (k / 7 % 5) + k % 7);
  std::printf("%s %d\n", good ? "ok" : "wrong", host.back());
  cudaFree(box.ptr);
  return 0;
}
