// Out of range: one operand b for all four shuffles, however large or negative. Stands beside
// programs/shuffle/out_of_range.warp.
//
// The hardware takes the low five bits of b. idx wraps with them; up, down and xor keep the own value where the source
// would lie past the warp. Here the warp ends at its last living lane, which CUDA's shuffles do not know: each source
// is computed beside its shuffle, and what comes from beyond is not taken. in_range has bit 0 for idx, 1 for up, 2 for
// down, 3 for xor.

extern "C" __global__ void shuffle_out_of_range(const unsigned* input, unsigned* idx, unsigned* up, unsigned* down,
                                                unsigned* bfly, unsigned* in_range, unsigned size, int b) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const int last_lane = __popc(inside) - 1;

  const unsigned value = input[i];
  const int low_bits = b & 31;
  const bool idx_there = low_bits <= last_lane;
  const bool up_there = lane - low_bits >= 0;
  const bool down_there = lane + low_bits <= last_lane;
  const bool bfly_there = (lane ^ low_bits) <= last_lane;

  const unsigned by_idx = __shfl_sync(inside, value, b);
  const unsigned by_up = __shfl_up_sync(inside, value, b);
  const unsigned by_down = __shfl_down_sync(inside, value, b);
  const unsigned by_bfly = __shfl_xor_sync(inside, value, b);
  idx[i] = idx_there ? by_idx : value;
  up[i] = by_up;
  down[i] = down_there ? by_down : value;
  bfly[i] = bfly_there ? by_bfly : value;
  in_range[i] = (idx_there ? 1 : 0) | (up_there ? 2 : 0) | (down_there ? 4 : 0) | (bfly_there ? 8 : 0);
}
