// Or, butterfly: after five __shfl_xor_sync every lane holds the bits that any lane of its warp has. Beside
// programs/reduce/or_bfly.warp.
//
// In a ragged warp what comes from a lane that has left is not used, and lane 0, which hears of everyone, tells the
// others.

extern "C" __global__ void reduce_or_bfly(const unsigned* input, unsigned* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  unsigned any = input[i];
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
    const unsigned other = __shfl_xor_sync(living, any, offset);
    if ((lane ^ offset) < count) any |= other;
  }
  if (count < warpSize) any = __shfl_sync(living, any, 0);
  output[i] = any;
}
