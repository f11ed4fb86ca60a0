// Butterfly parallel maximum: after five __shfl_xor_sync every lane holds the largest input of its warp. Beside
// programs/p26/butterfly_parallel_max.warp.
//
// In a ragged warp what comes from a lane that has left is not used, and the highest lanes do not hear of everyone;
// lane 0 does, and tells the others.

extern "C" __global__ void p26_butterfly_parallel_max(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  float max_val = input[i];
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(living, max_val, offset);
    if ((lane ^ offset) < count) max_val = fmaxf(max_val, other);
  }
  if (count < warpSize) max_val = __shfl_sync(living, max_val, 0);
  output[i] = max_val;
}
