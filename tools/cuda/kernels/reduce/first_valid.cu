// First valid: every lane learns the leftmost input of its warp that is not 0. Beside programs/reduce/first_valid.warp.
//
// "a, or b if a is 0" is associative, not commutative. So the butterfly begins with offset 1, where every lane holds a
// run of neighbors, and combines its run with its partner's from left to right (in_order). From 16 down, each lane with
// its own value in front, the lanes do not agree (as_written).

namespace first_valid {
namespace {
__device__ unsigned combine(unsigned left, unsigned right) { return left != 0 ? left : right; }
}  // namespace
}  // namespace first_valid

extern "C" __global__ void reduce_first_valid(const unsigned* input, unsigned* in_order, unsigned* as_written,
                                              unsigned size) {
  using first_valid::combine;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  const unsigned own = input[i];
  unsigned first = own;
  for (unsigned offset = 1; offset < warpSize; offset *= 2) {
    const unsigned other = __shfl_xor_sync(living, first, offset);
    const bool partner_is_left = (lane & offset) != 0;
    if ((lane ^ offset) < count) first = partner_is_left ? combine(other, first) : combine(first, other);
  }
  in_order[i] = __shfl_sync(living, first, 0);  // lane 0 has heard of every lane, also in a ragged warp

  unsigned value = own;
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
    const unsigned other = __shfl_xor_sync(living, value, offset);
    if ((lane ^ offset) < count) value = combine(value, other);
  }
  as_written[i] = value;
}
