// A search in a graph, a level for each launch, whose frontier is grown by atomics.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>
#include <vector>

__global__ void level(int nodes, int depth, int count, const int* frontier, int* distance, int* next, int* next_count) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const int node = frontier[k];
  for (const int other : {node * 2 + 1, node * 3 + 1, node - 1})
    if (other >= 0 && other < nodes && atomicCAS(&distance[other], -1, depth + 1) == -1)
      next[atomicAdd(next_count, 1)] = other;
}

int main() {
  const int nodes = 500;
  int *distance, *frontier, *next, *next_count, count = 1, depth = 0;
  for (int** one : {&distance, &frontier, &next}) cudaMalloc(one, nodes * sizeof(int));
  cudaMalloc(&next_count, sizeof(int));
  cudaMemset(distance, 0xff, nodes * sizeof(int));
  cudaMemset(distance, 0, sizeof(int));
  cudaMemset(frontier, 0, sizeof(int));
  for (; count > 0; ++depth) {
    cudaMemset(next_count, 0, sizeof(int));
    level<<<(count + 63) / 64, 64>>>(nodes, depth, count, frontier, distance, next, next_count);
    cudaMemcpy(&count, next_count, sizeof count, cudaMemcpyDeviceToHost);
    std::swap(frontier, next);
  }
  std::vector<int> host(nodes), expected(nodes, -1), queue = {0};
  cudaMemcpy(host.data(), distance, nodes * sizeof(int), cudaMemcpyDeviceToHost);
  expected[0] = 0;
  for (size_t k = 0; k < queue.size(); ++k)
    for (const int other : {queue[k] * 2 + 1, queue[k] * 3 + 1, queue[k] - 1})
      if (other >= 0 && other < nodes && expected[other] < 0)
        expected[other] = expected[queue[k]] + 1, queue.push_back(other);
  std::printf("%s %d\n", host == expected ? "ok" : "wrong", depth);
  for (int* const one : {distance, frontier, next, next_count}) cudaFree(one);
  return 0;
}
