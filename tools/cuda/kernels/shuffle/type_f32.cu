// Floats: neighbors swap a value, and each keeps the larger. Stands beside programs/shuffle/type_f32.warp.
//
// Every bit arrives, also those of a NaN. fmaxf prefers a number to a NaN, and +0 to -0.

extern "C" __global__ void shuffle_type_f32(const float* input, float* received, float* larger, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const float value = input[i];
  float other = __shfl_xor_sync(inside, value, 1);
  if ((lane ^ 1) >= __popc(inside)) other = value;  // the last lane of an odd number has no partner
  received[i] = other;
  larger[i] = fmaxf(value, other);
}
