// Two functions of the host write one after the other to one variable, each in its own stream.
// finds: nothing
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

static void set(void* value) { *static_cast<int*>(value) = 5; }
static void twice(void* value) { *static_cast<int*>(value) *= 2; }

__global__ void nothing() {}

int main() {
  int value = 1;
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  nothing<<<1, 1, 0, first>>>();
  cudaLaunchHostFunc(first, set, &value);
  cudaLaunchHostFunc(second, twice, &value);
  cudaDeviceSynchronize();
  std::printf("%s %d\n", value == 10 ? "ok" : "wrong", value);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
