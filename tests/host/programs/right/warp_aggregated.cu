// Elements that fit are written one behind the other: a warp takes places for all its lanes by one atomic.
// finds: nothing
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void filter(int n, const int* x, int* out, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const bool fits = i < n && x[i] % 3 == 0;
  const unsigned votes = __ballot_sync(0xffffffff, fits);
  const int leader = __ffs(votes) - 1;
  int first = 0;
  if (lane == leader) first = atomicAdd(count, __popc(votes));
  if (votes != 0) first = __shfl_sync(0xffffffff, first, leader);
  if (fits) out[first + __popc(votes & ((1u << lane) - 1))] = x[i];
}

int main() {
  const int n = 1000;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  int *x, *out, *count, found = 0;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  filter<<<8, 128>>>(n, x, out, count);
  cudaMemcpy(&found, count, sizeof found, cudaMemcpyDeviceToHost);
  std::vector<int> result(found);
  cudaMemcpy(result.data(), out, found * sizeof(int), cudaMemcpyDeviceToHost);
  std::sort(result.begin(), result.end());
  bool good = found == 334;
  for (int k = 0; k < found; ++k) good = good && result[k] == 3 * k;
  std::printf("%s %d\n", good ? "ok" : "wrong", found);
  cudaFree(x);
  cudaFree(out);
  cudaFree(count);
  return 0;
}
