// A kernel writes past the end of what malloc gave it.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void spell(int n, int* out) {
  char* const text = static_cast<char*>(malloc(n));
  if (text == nullptr) return;
  for (int i = 0; i < n; ++i) text[i] = 'a';
  text[n] = 0;
  int length = 0;
  while (text[length] != 0) ++length;
  out[threadIdx.x] = length;
  free(text);
}

int main() {
  int *out, host[2] = {};
  cudaMalloc(&out, sizeof host);
  spell<<<1, 2>>>(48, out);
  const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
