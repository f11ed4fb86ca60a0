// Butterfly conditional maximum: even lanes store the warp's largest input, odd lanes its smallest. One butterfly
// carries two running values, by two __shfl_xor_sync a step. Beside programs/p26/butterfly_conditional_max.warp.
//
// In a ragged warp what comes from a lane that has left is not used, and lane 0, which hears of everyone, tells the
// others.

extern "C" __global__ void p26_butterfly_conditional_max(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  float largest = input[i];
  float smallest = largest;
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
    const float other_largest = __shfl_xor_sync(living, largest, offset);
    const float other_smallest = __shfl_xor_sync(living, smallest, offset);
    if ((lane ^ offset) < count) {
      largest = fmaxf(largest, other_largest);
      smallest = fminf(smallest, other_smallest);
    }
  }
  if (count < warpSize) {
    largest = __shfl_sync(living, largest, 0);
    smallest = __shfl_sync(living, smallest, 0);
  }
  output[i] = lane % 2 == 0 ? largest : smallest;
}
