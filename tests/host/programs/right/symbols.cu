// Variables of the device and constants, whole and in part, from the host and back.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__constant__ int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__constant__ int factor;
__device__ int results[8];
__managed__ int calls = 1;

__global__ void multiply() {
  results[threadIdx.x] = factor * primes[threadIdx.x];
  if (threadIdx.x == 0) ++calls;
}

int main() {
  const int three = 3, others[2] = {23, 29};
  cudaMemcpyToSymbol(factor, &three, sizeof three);
  cudaMemcpyToSymbol(primes, others, sizeof others, 6 * sizeof(int));
  multiply<<<1, 8>>>();
  cudaDeviceSynchronize();
  int all[8], last = 0;
  cudaMemcpyFromSymbol(all, results, sizeof all);
  cudaMemcpyFromSymbol(&last, results, sizeof last, 7 * sizeof(int));
  size_t size = 0;
  cudaGetSymbolSize(&size, results);
  const bool good = all[0] == 6 && all[5] == 39 && all[6] == 69 && last == 87 && size == sizeof all && calls == 2;
  std::printf("%s %d %d\n", good ? "ok" : "wrong", last, calls);
  return 0;
}
