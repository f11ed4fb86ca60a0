// A kernel allocates, uses and frees memory, with malloc and with new.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void sum(int n, int* out) {
  int* const scratch = static_cast<int*>(malloc(n * sizeof(int)));
  long long* const squares = new long long[n];
  if (scratch != nullptr && squares != nullptr) {
    long long total = 0;
    for (int i = 0; i < n; ++i) scratch[i] = i + static_cast<int>(threadIdx.x);
    for (int i = 0; i < n; ++i) squares[i] = static_cast<long long>(scratch[i]) * scratch[i];
    for (int i = 0; i < n; ++i) total += squares[n - 1 - i];
    out[threadIdx.x] = static_cast<int>(total);
  }
  delete[] squares;
  free(scratch);
}

int main() {
  int *out, host[4] = {};
  cudaMalloc(&out, sizeof host);
  sum<<<1, 4>>>(10, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s %d %d\n", host[0] == 285 && host[3] == 645 ? "ok" : "wrong", host[0], host[3]);
  cudaFree(out);
  return 0;
}
