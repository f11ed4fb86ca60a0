// A 64-bit value as two halves: what __shfl_down_sync of an unsigned long long does inside. Stands beside
// programs/shuffle/split_64.warp.
//
// The hardware shuffles 32 bits, so each half travels on its own. `same` says whether the shuffle of the whole value
// gave the same bits. A lane whose source is not there keeps its own value.

extern "C" __global__ void shuffle_split_64(const unsigned long long* input, unsigned long long* output, unsigned* same,
                                            unsigned size, unsigned delta) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const bool there = lane + delta % 32 < __popc(inside);

  const unsigned long long value = input[i];
  const unsigned low = __shfl_down_sync(inside, static_cast<unsigned>(value), delta);
  const unsigned high = __shfl_down_sync(inside, static_cast<unsigned>(value >> 32), delta);
  const unsigned long long joined = static_cast<unsigned long long>(high) << 32 | low;
  const unsigned long long result = there ? joined : value;
  output[i] = result;

  const unsigned long long whole = __shfl_down_sync(inside, value, delta);
  const unsigned long long direct = there ? whole : value;
  same[i] = direct == result ? 1 : 0;
}
