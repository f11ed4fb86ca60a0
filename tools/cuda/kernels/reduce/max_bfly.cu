// Maximum, butterfly: after five __shfl_xor_sync every lane holds the largest of its warp's signed integers. Beside
// programs/reduce/max_bfly.warp.
//
// In a ragged warp what comes from a lane that has left is not used, and lane 0, which hears of everyone, tells the
// others.

extern "C" __global__ void reduce_max_bfly(const int* input, int* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  int largest = input[i];
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
    const int other = __shfl_xor_sync(living, largest, offset);
    if ((lane ^ offset) < count) largest = max(largest, other);
  }
  if (count < warpSize) largest = __shfl_sync(living, largest, 0);
  output[i] = largest;
}
