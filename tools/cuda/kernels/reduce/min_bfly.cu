// Minimum, butterfly: after five __shfl_xor_sync every lane holds the smallest of its warp's unsigned integers. Beside
// programs/reduce/min_bfly.warp.
//
// In a ragged warp what comes from a lane that has left is not used, and lane 0, which hears of everyone, tells the
// others.

extern "C" __global__ void reduce_min_bfly(const unsigned* input, unsigned* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  unsigned smallest = input[i];
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
    const unsigned other = __shfl_xor_sync(living, smallest, offset);
    if ((lane ^ offset) < count) smallest = min(smallest, other);
  }
  if (count < warpSize) smallest = __shfl_sync(living, smallest, 0);
  output[i] = smallest;
}
