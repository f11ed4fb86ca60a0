// Sum, down: after five __shfl_down_sync lane 0 holds the sum of its warp. Beside programs/reduce/sum_down.warp.
//
// The floats are added in the order of the tree, and what comes from a lane that has left is not added.

extern "C" __global__ void reduce_sum_down(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  float sum = input[i];
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
    const float other = __shfl_down_sync(living, sum, offset);
    if (lane + offset < count) sum += other;
  }
  if (lane == 0) output[i] = sum;
}
