// Maximum, down: after five __shfl_down_sync lane 0 holds the largest of its warp's floats. Beside
// programs/reduce/max_down.warp.
//
// A lane whose source has left takes the maximum with itself. That changes nothing but a NaN, which fmaxf gives its
// standard bits, 7fffffff: so a warp of NaNs has one result, however many lanes it has.

extern "C" __global__ void reduce_max_down(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  float largest = input[i];
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
    const float other = __shfl_down_sync(living, largest, offset);
    largest = fmaxf(largest, lane + offset < count ? other : largest);
  }
  if (lane == 0) output[i] = largest;
}
