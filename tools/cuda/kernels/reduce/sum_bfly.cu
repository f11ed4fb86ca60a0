// Sum, butterfly: after five __shfl_xor_sync every lane holds the sum of its warp, all lanes the same bits. Beside
// programs/reduce/sum_bfly.warp.
//
// In a ragged warp what comes from a lane that has left is not added, and lane 0, which adds everyone once, tells the
// others.

extern "C" __global__ void reduce_sum_bfly(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  float sum = input[i];
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(living, sum, offset);
    if ((lane ^ offset) < count) sum += other;
  }
  if (count < warpSize) sum = __shfl_sync(living, sum, 0);
  output[i] = sum;
}
