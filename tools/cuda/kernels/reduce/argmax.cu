// Argmax: every lane learns the largest input of its warp and the first place where it stands. The butterfly carries a
// pair, a value and its place, by two __shfl_xor_sync a step, and keeps the better pair as a whole. Beside
// programs/reduce/argmax.warp.
//
// In a ragged warp what comes from a lane that has left is not used, and lane 0, which hears of everyone, tells the
// others.

extern "C" __global__ void reduce_argmax(const int* input, int* largest, unsigned* place, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  int value = input[i];
  unsigned at = i;
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
    const int other = __shfl_xor_sync(living, value, offset);
    const unsigned other_at = __shfl_xor_sync(living, at, offset);
    if ((lane ^ offset) < count && (other > value || (other == value && other_at < at))) {
      value = other;
      at = other_at;
    }
  }
  if (count < warpSize) {
    value = __shfl_sync(living, value, 0);
    at = __shfl_sync(living, at, 0);
  }
  largest[i] = value;
  place[i] = at;
}
