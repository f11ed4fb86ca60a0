// Xor, down: lane 0 stores, for each bit, whether an odd number of lanes of its warp has it. Beside
// programs/reduce/xor_down.warp.
//
// The program folds with five shuffles (sum_down.cu does so in CUDA). On 32-bit integers, where the order of the
// operands does not matter, the hardware has the whole fold as one instruction since sm_80: __reduce_xor_sync.

extern "C" __global__ void reduce_xor_down(const unsigned* input, unsigned* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const unsigned parity = __reduce_xor_sync(living, input[i]);
  if (lane == 0) output[i] = parity;
}
