// Lanes scatter to different elements by a permutation, and the leader of each pair alone stores for both.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void pairs(int* place, int* owner) {
  const int lane = threadIdx.x;
  place[(lane * 5 + 3) % 32] = lane;
  if (lane % 2 == 0) owner[lane / 2] = lane;
}

int main() {
  int *place, *owner, places[32], owners[16];
  cudaMalloc(&place, sizeof places);
  cudaMalloc(&owner, sizeof owners);
  pairs<<<1, 32>>>(place, owner);
  cudaMemcpy(places, place, sizeof places, cudaMemcpyDeviceToHost);
  cudaMemcpy(owners, owner, sizeof owners, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < 32; ++i) good = good && places[(i * 5 + 3) % 32] == i && owners[i / 2] == i / 2 * 2;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(place);
  cudaFree(owner);
  return 0;
}
