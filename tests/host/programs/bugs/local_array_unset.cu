// Of a local table only every second entry is set before values are looked up in it.
// finds: WS0107
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void walk(int steps, int* visited) {
  int next[16];
  for (int k = 0; k < 16; k += 2) next[k] = (k * 5 + 3) % 16;
  int at = threadIdx.x % 2 * 2;
  for (int k = 0; k < steps; ++k) at = next[at & 15];
  atomicAdd(&visited[at & 15], 1);
}

int main() {
  int *visited, host[16] = {};
  cudaMalloc(&visited, sizeof host);
  cudaMemset(visited, 0, sizeof host);
  walk<<<1, 32>>>(7, visited);
  cudaMemcpy(host, visited, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetLastError() == cudaSuccess ? "done" : "failed");
  cudaFree(visited);
  return 0;
}
