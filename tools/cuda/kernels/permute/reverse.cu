// Reverse: each warp's values in the opposite order. Stands beside programs/permute/reverse.warp.
//
// In a whole warp the mirror image is also __shfl_xor_sync with 31; the subtraction works in a ragged warp too.

extern "C" __global__ void permute_reverse(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned last_lane = __popc(inside) - 1;

  output[i] = __shfl_sync(inside, input[i], last_lane - lane);
}
