// Neighbor difference from global memory: each lane loads its neighbor's element itself. Stands beside
// programs/twin/neighbor_difference_global.warp.
//
// 0 where a lane has no next lane: at the end of its warp, of the block or of the input.

extern "C" __global__ void twin_neighbor_difference_global(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;

  const bool has_next = threadIdx.x % 32 < 31 && threadIdx.x + 1 < blockDim.x && i + 1 < size;
  output[i] = has_next ? input[i + 1] - input[i] : 0.0f;
}
