// Broadcast-shuffle coordination: lane 0 averages the first four elements of its block; every lane scales the sum of
// its element and the next lane's by that average, the last lane its own element alone. Two primitives, two directions:
// __shfl_sync from one lane to all, __shfl_down_sync from each right neighbor. Beside
// programs/p25/broadcast_shuffle_coordination.warp.

extern "C" __global__ void p25_broadcast_shuffle_coordination(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  float scale_factor = 0.0f;
  if (lane == 0) {
    const unsigned block_start = blockIdx.x * blockDim.x;
    float sum = 0.0f;
    for (unsigned k = 0; k < 4; ++k) {
      if (block_start + k < size) sum += input[block_start + k];
    }
    scale_factor = sum / 4.0f;
  }
  scale_factor = __shfl_sync(living, scale_factor, 0);

  const float current = input[i];
  const float next = __shfl_down_sync(living, current, 1);
  const bool has_next = lane + 1 < __popc(living);  // the lanes that stay are the lowest ones
  output[i] = (has_next ? current + next : current) * scale_factor;
}
