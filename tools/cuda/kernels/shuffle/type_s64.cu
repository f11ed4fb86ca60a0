// Signed 64-bit integers: neighbors swap a value, and each keeps the larger. Stands beside
// programs/shuffle/type_s64.warp.
//
// __shfl_xor_sync takes 64 bits as one value; two shuffles of 32 bits come out of it.

extern "C" __global__ void shuffle_type_s64(const long long* input, long long* received, long long* larger,
                                            unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const long long value = input[i];
  long long other = __shfl_xor_sync(inside, value, 1);
  if ((lane ^ 1) >= __popc(inside)) other = value;  // the last lane of an odd number has no partner
  received[i] = other;
  larger[i] = max(value, other);
}
