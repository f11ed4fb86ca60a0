// A kernel prints.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void tell(const char* word, double value) {
  if (threadIdx.x % 16 == 3)
    printf("%d of block %d: %s %.2f %5u|%-4c|%llx\n", threadIdx.x, blockIdx.x, word, value, 42u, 'c', 1ULL << 40);
}

int main() {
  const char text[] = "value";
  char* word;
  cudaMalloc(&word, sizeof text);
  cudaMemcpy(word, text, sizeof text, cudaMemcpyHostToDevice);
  std::printf("before\n");
  tell<<<1, 32>>>(word, 2.5);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", error == cudaSuccess ? "ok" : "wrong");
  cudaFree(word);
  return 0;
}
