// Broadcast by lane number: every lane names the same source in __shfl_sync. Stands beside
// programs/shuffle/idx_broadcast.warp.
//
// The source may be any number: it wraps inside the warp. It has to be a lane that has not left.

extern "C" __global__ void shuffle_idx_broadcast(const unsigned* input, unsigned* output, unsigned size, unsigned src) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  output[i] = __shfl_sync(inside, input[i], src);
}
