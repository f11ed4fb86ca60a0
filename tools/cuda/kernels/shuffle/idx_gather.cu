// Gather by lane number: every lane picks a source of its own in __shfl_sync. Stands beside
// programs/shuffle/idx_gather.warp.
//
// Any lane may be read by several or by nobody. Sources past the end wrap inside the warp.

extern "C" __global__ void shuffle_idx_gather(const unsigned* input, const unsigned* source, unsigned* output,
                                              unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  output[i] = __shfl_sync(inside, input[i], source[i]);
}
