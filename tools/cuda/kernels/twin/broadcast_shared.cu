// Broadcast through shared memory: thread 0 adds up the first four elements of its block, and every thread adds that
// sum to its own. Stands beside programs/twin/broadcast_shared.warp.
//
// Two barriers: all have written before thread 0 reads, and thread 0 has written before all read. A block has 4 to 64
// threads.

extern "C" __global__ void twin_broadcast_shared(const float* input, float* output, unsigned size) {
  __shared__ float tile[64];
  const unsigned block_start = blockIdx.x * blockDim.x;
  const unsigned i = block_start + threadIdx.x;
  const bool inside = i < size;

  const float own = inside ? input[i] : 0.0f;
  if (inside) tile[threadIdx.x] = own;
  __syncthreads();

  if (inside && threadIdx.x == 0) {
    float sum = 0.0f;
    for (unsigned k = 0; k < 4; ++k) {
      if (block_start + k < size) sum += tile[k];
    }
    tile[0] = sum;
  }
  __syncthreads();

  if (inside) output[i] = tile[0] + own;
}
