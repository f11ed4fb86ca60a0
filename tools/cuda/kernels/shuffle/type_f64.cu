// Doubles: neighbors swap a value, and each keeps the larger. Stands beside programs/shuffle/type_f64.warp.
//
// __shfl_xor_sync takes 64 bits as one value; two shuffles of 32 bits come out of it.

extern "C" __global__ void shuffle_type_f64(const double* input, double* received, double* larger, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const double value = input[i];
  double other = __shfl_xor_sync(inside, value, 1);
  if ((lane ^ 1) >= __popc(inside)) other = value;  // the last lane of an odd number has no partner
  received[i] = other;
  larger[i] = fmax(value, other);
}
