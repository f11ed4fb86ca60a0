// Warp inclusive prefix sum: lane l holds input[0] + ... + input[l] of its warp, by the scan of Hillis and Steele:
// __shfl_up_sync by 1, 2, 4, 8, 16. Beside programs/p26/warp_inclusive_prefix_sum.warp.
//
// The loop is written out because the order of float additions decides the last bit, and cooperative groups do not say
// in which order their scans add.

extern "C" __global__ void p26_warp_inclusive_prefix_sum(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  float sum = input[i];
  for (unsigned distance = 1; distance < warpSize; distance *= 2) {
    const float left = __shfl_up_sync(living, sum, distance);
    if (lane >= distance) sum += left;
  }
  output[i] = sum;
}
