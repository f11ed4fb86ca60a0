// Reduce, then broadcast: the sum folds down to lane 0 by __shfl_down_sync, __shfl_sync tells it everybody, and every
// lane divides its input by it. Beside programs/reduce/then_broadcast.warp.

extern "C" __global__ void reduce_then_broadcast(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  const float own = input[i];
  float sum = own;
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
    const float other = __shfl_down_sync(living, sum, offset);
    if (lane + offset < count) sum += other;
  }
  sum = __shfl_sync(living, sum, 0);
  output[i] = own / sum;
}
