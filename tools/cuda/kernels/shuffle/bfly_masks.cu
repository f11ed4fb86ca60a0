// Butterfly shuffle: __shfl_xor_sync with every mask from `first` on. Stands beside programs/shuffle/bfly_masks.warp.
//
// A mask may have any bits; the shuffle looks at the low five. In a ragged warp the partner may be a lane that is not
// there: what arrives from it is undefined, so the lane keeps its own value.

extern "C" __global__ void shuffle_bfly_masks(const unsigned* input, unsigned* output, unsigned size, unsigned first,
                                              unsigned masks) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned last_lane = __popc(inside) - 1;

  const unsigned value = input[i];
  for (unsigned k = 0; k < masks; ++k) {
    const unsigned mask = first + k;
    const unsigned partner = lane ^ (mask % 32);
    const unsigned received = __shfl_xor_sync(inside, value, mask);
    output[k * size + i] = partner <= last_lane ? received : value;
  }
}
