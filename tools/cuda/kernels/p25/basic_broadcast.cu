// Basic broadcast: lane 0 adds up the first four elements of its block, and __shfl_sync hands that sum to every lane of
// the warp. Beside programs/p25/basic_broadcast.warp.
//
// The guard is an early exit, so the mask of the shuffle is the ballot of the lanes that stay.

extern "C" __global__ void p25_basic_broadcast(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  float sum = 0.0f;
  if (lane == 0) {
    const unsigned block_start = blockIdx.x * blockDim.x;
    for (unsigned k = 0; k < 4; ++k) {
      if (block_start + k < size) sum += input[block_start + k];
    }
  }
  const float broadcast_value = __shfl_sync(living, sum, 0);
  output[i] = broadcast_value + input[i];
}
