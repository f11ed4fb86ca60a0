// Unsigned integers: neighbors swap a value, and each keeps the larger. Stands beside programs/shuffle/type_u32.warp.
//
// The shuffle moves bits; that they are unsigned matters only to max.

extern "C" __global__ void shuffle_type_u32(const unsigned* input, unsigned* received, unsigned* larger,
                                            unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const unsigned value = input[i];
  unsigned other = __shfl_xor_sync(inside, value, 1);
  if ((lane ^ 1) >= __popc(inside)) other = value;  // the last lane of an odd number has no partner
  received[i] = other;
  larger[i] = max(value, other);
}
