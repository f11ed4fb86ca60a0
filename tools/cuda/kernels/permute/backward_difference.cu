// Backward difference: each value less the one before it, 0 in a warp's first lane. Stands beside
// programs/permute/backward_difference.warp.
//
// Values travel only from lower lanes to higher ones, so lanes that have left are never read.

extern "C" __global__ void permute_backward_difference(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const float value = input[i];
  const float previous = __shfl_up_sync(inside, value, 1);
  output[i] = lane == 0 ? 0.0f : value - previous;
}
