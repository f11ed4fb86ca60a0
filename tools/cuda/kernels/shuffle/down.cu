// Shuffle down: __shfl_down_sync by `delta` lanes. Stands beside programs/shuffle/down.warp.
//
// CUDA does not hand out the in-range predicate; it follows from the lane's number and the low five bits of delta.
// Past the end of the warp a lane gets its own value back. A source that is in range but has exited gives an undefined
// value: that one is not stored.

extern "C" __global__ void shuffle_down(const unsigned* input, unsigned* output, unsigned* in_range, unsigned size,
                                        unsigned delta) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const unsigned source = lane + delta % 32;
  const bool there = source < 32;
  const bool exists = there && (inside >> source & 1) != 0;

  const unsigned result = __shfl_down_sync(inside, input[i], delta);
  if (exists || !there) output[i] = result;
  in_range[i] = there ? 1 : 0;
}
