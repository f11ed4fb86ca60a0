// Half floats: neighbors swap a value, and each keeps the larger. Stands beside programs/shuffle/type_f16.warp.
//
// cuda_fp16.h has the shuffle of a __half: it rides in the low half of a 32-bit word. Two of them fit (type_f16x2).

#include <cuda_fp16.h>

extern "C" __global__ void shuffle_type_f16(const __half* input, __half* received, __half* larger, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const __half value = input[i];
  __half other = __shfl_xor_sync(inside, value, 1);
  if ((lane ^ 1) >= __popc(inside)) other = value;  // the last lane of an odd number has no partner
  received[i] = other;
  larger[i] = __hmax(value, other);
}
