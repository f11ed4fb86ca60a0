// Xor, butterfly: after five __shfl_xor_sync every lane holds, for each bit, whether an odd number of lanes of its warp
// has it. Beside programs/reduce/xor_bfly.warp.
//
// In a ragged warp what comes from a lane that has left is not used, and lane 0, which hears of everyone once, tells
// the others.

extern "C" __global__ void reduce_xor_bfly(const unsigned* input, unsigned* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  unsigned parity = input[i];
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
    const unsigned other = __shfl_xor_sync(living, parity, offset);
    if ((lane ^ offset) < count) parity ^= other;
  }
  if (count < warpSize) parity = __shfl_sync(living, parity, 0);
  output[i] = parity;
}
