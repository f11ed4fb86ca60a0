// Member masks: the lanes of one set shuffle among themselves while the others go another way. Stands beside
// programs/shuffle/member_masks.warp.
//
// Every member names the same mask and comes to the same shuffles; who is not in it must not come there. The shuffles
// themselves reach over the whole warp: that a source below the lowest or above the highest member counts as out of
// range, where the own value is kept, is said here by comparing lane numbers.

extern "C" __global__ void shuffle_member_masks(const unsigned* input, unsigned* lowest, unsigned* exchanged,
                                                unsigned* from_below, unsigned* from_above, unsigned size,
                                                unsigned long long members, unsigned partner, unsigned delta) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const unsigned value = input[i];
  const unsigned mask = static_cast<unsigned>(members) & inside;
  if ((mask >> lane & 1) == 0) {
    lowest[i] = exchanged[i] = from_below[i] = from_above[i] = value;
    return;
  }

  const int first = __ffs(mask) - 1;
  const int last = 31 - __clz(mask);
  const int across = lane ^ static_cast<int>(partner % 32);
  const int below = lane - static_cast<int>(delta % 32);
  const int above = lane + static_cast<int>(delta % 32);

  const unsigned low = __shfl_sync(mask, value, first);
  const unsigned other = __shfl_xor_sync(mask, value, partner);
  const unsigned below_it = __shfl_up_sync(mask, value, delta);
  const unsigned above_it = __shfl_down_sync(mask, value, delta);
  lowest[i] = low;
  exchanged[i] = across <= last ? other : value;
  from_below[i] = below >= first ? below_it : value;
  from_above[i] = above <= last ? above_it : value;
}
