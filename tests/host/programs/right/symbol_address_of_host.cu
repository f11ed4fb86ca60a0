// The kernel gets the address of a __device__ variable that cudaGetSymbolAddress says.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__device__ int hits;

__global__ void count(int n, int* counter) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 3 == 0) atomicAdd(counter, 1);
}

int main() {
  int* counter;
  cudaGetSymbolAddress(reinterpret_cast<void**>(&counter), hits);
  count<<<2, 64>>>(100, counter);
  int found = 0, again = 0;
  cudaMemcpyFromSymbol(&found, hits, sizeof found);
  cudaMemcpy(&again, counter, sizeof again, cudaMemcpyDeviceToHost);
  std::printf("%s\n", found == 34 && again == 34 ? "ok" : "wrong");
  return 0;
}
