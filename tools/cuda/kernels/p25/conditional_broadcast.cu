// Conditional broadcast: lane 0 finds the largest of the first eight elements of its block, or of as many as there are;
// every lane doubles its element if it is at least half of that, and halves it if not. One lane decides, one
// __shfl_sync makes it everybody's decision. Beside programs/p25/conditional_broadcast.warp.

extern "C" __global__ void p25_conditional_broadcast(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  float decision = 0.0f;
  if (lane == 0) {
    const unsigned block_start = blockIdx.x * blockDim.x;
    const unsigned count = min(size - block_start, 8u);
    decision = input[block_start];
    for (unsigned k = 1; k < count; ++k) {
      const float candidate = input[block_start + k];
      if (candidate > decision) decision = candidate;
    }
  }
  decision = __shfl_sync(living, decision, 0);

  const float threshold = decision / 2.0f;
  const float current = input[i];
  output[i] = current >= threshold ? current * 2.0f : current / 2.0f;
}
