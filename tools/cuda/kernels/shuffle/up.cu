// Shuffle up: __shfl_up_sync by `delta` lanes. Stands beside programs/shuffle/up.warp.
//
// Lanes with nobody `delta` lanes below get their own value back. CUDA does not hand out the in-range predicate; it
// follows from the lane's number and the low five bits of delta, which are all that count.

extern "C" __global__ void shuffle_up(const unsigned* input, unsigned* output, unsigned* in_range, unsigned size,
                                      unsigned delta) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  output[i] = __shfl_up_sync(inside, input[i], delta);
  in_range[i] = lane >= delta % 32 ? 1 : 0;
}
