// Pairs of half floats: neighbors swap two values in one shuffle, and each keeps the larger, half by half. Stands
// beside programs/shuffle/type_f16x2.warp.
//
// A __half2 is one 32-bit register, so the shuffle costs what that of one __half costs.

#include <cuda_fp16.h>

extern "C" __global__ void shuffle_type_f16x2(const __half2* input, __half2* received, __half2* larger, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const __half2 value = input[i];
  __half2 other = __shfl_xor_sync(inside, value, 1);
  if ((lane ^ 1) >= __popc(inside)) other = value;  // the last lane of an odd number has no partner
  received[i] = other;
  larger[i] = __hmax2(value, other);
}
