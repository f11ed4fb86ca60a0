// Neighbor difference through shared memory: every value is put into a tile once and read from it twice. Stands beside
// programs/twin/neighbor_difference_shared.warp.
//
// 0 where a lane has no next lane: at the end of its warp, of the block or of the input. The second barrier would be
// needed before the tile is filled again; it is kept as in the program. A block has at most 64 threads.

extern "C" __global__ void twin_neighbor_difference_shared(const float* input, float* output, unsigned size) {
  __shared__ float tile[64];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool inside = i < size;
  const bool has_next = threadIdx.x % 32 < 31 && threadIdx.x + 1 < blockDim.x && i + 1 < size;

  if (inside) tile[threadIdx.x] = input[i];
  __syncthreads();

  const float result = has_next ? tile[threadIdx.x + 1] - tile[threadIdx.x] : 0.0f;
  __syncthreads();

  if (inside) output[i] = result;
}
