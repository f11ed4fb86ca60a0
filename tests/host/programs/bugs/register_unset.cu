// Inline PTX writes its result only under a predicate, and the result decides in all cases.
// finds: WS0101
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned root(unsigned x) {
  unsigned result;
  asm("{\n\t.reg .pred p;\n\tsetp.lt.u32 p, %1, 16;\n\t@p shr.u32 %0, %1, 1;\n\t}" : "=r"(result) : "r"(x));
  return result;
}

__global__ void count(unsigned* small) {
  if (root(threadIdx.x) < 4) atomicAdd(small, 1u);
}

int main() {
  unsigned *small, result = 0;
  cudaMalloc(&small, sizeof(unsigned));
  cudaMemset(small, 0, sizeof(unsigned));
  count<<<1, 32>>>(small);
  cudaMemcpy(&result, small, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(small);
  return 0;
}
