// Calls that fail, whose errors are asked for: a launch, a copy, an allocation, a symbol.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                        \
  do {                                                                     \
    if (const cudaError_t error = (call); error != cudaSuccess) {          \
      std::printf("%s in line %d\n", cudaGetErrorString(error), __LINE__); \
      std::exit(1);                                                        \
    }                                                                      \
  } while (0)

__global__ void fill(int* x, int value) { x[threadIdx.x] = value; }

int main() {
  int *x, host[32];
  CHECK(cudaMalloc(&x, sizeof host));
  fill<<<1, 32>>>(x, 9);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  fill<<<1, dim3(32, 64)>>>(x, 10);
  const bool too_large = cudaPeekAtLastError() == cudaErrorInvalidConfiguration || cudaPeekAtLastError() != cudaSuccess;
  const bool kept = cudaGetLastError() != cudaSuccess && cudaGetLastError() == cudaSuccess;
  const bool no_device = cudaSetDevice(99) == cudaErrorInvalidDevice && cudaGetLastError() == cudaErrorInvalidDevice;
  CHECK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  std::printf("%s %d\n", too_large && kept && no_device && host[31] == 9 ? "ok" : "wrong", host[31]);
  return 0;
}
