// Inclusive prefix sum of Hillis and Steele within a warp. Stands beside programs/scan/hillis_steele_inclusive.warp.
//
// Floats are added in the order of the steps: own sum first, then that of the lane `offset` before it. Values travel
// only from lower lanes to higher ones, so lanes that have left are never read.

extern "C" __global__ void scan_hillis_steele_inclusive(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  float sum = input[i];
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const float other = __shfl_up_sync(inside, sum, offset);
    if (lane >= offset) sum += other;
  }
  output[i] = sum;
}
