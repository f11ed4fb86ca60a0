// Segments: the `width` argument of the four shuffles. Stands beside programs/shuffle/widths.warp.
//
// CUDA wants a power of two from 1 to 32; any other width counts here as the next lower one. idx wraps inside the
// segment, up and down stay in it, and xor only stays below its end: it may read an earlier segment. A ragged warp ends
// at its last living lane, which the shuffles do not know: what comes from beyond is not taken.

extern "C" __global__ void shuffle_widths(const unsigned* input, unsigned* idx, unsigned* up, unsigned* down,
                                          unsigned* bfly, unsigned size, unsigned width, unsigned b) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned last_lane = __popc(inside) - 1;

  const unsigned value = input[i];
  const unsigned clamped = min(max(width, 1u), 32u);
  const unsigned segment = 1u << (31 - __clz(clamped));
  const unsigned named = (lane & ~(segment - 1)) | (b & (segment - 1));
  const unsigned above = lane + b % 32;
  const unsigned across = lane ^ (b % 32);

  const unsigned by_idx = __shfl_sync(inside, value, b, segment);
  const unsigned by_up = __shfl_up_sync(inside, value, b, segment);
  const unsigned by_down = __shfl_down_sync(inside, value, b, segment);
  const unsigned by_bfly = __shfl_xor_sync(inside, value, b, segment);
  idx[i] = named <= last_lane ? by_idx : value;
  up[i] = by_up;
  down[i] = above <= last_lane ? by_down : value;
  bfly[i] = across <= last_lane ? by_bfly : value;
}
