// Exclusive prefix sum of Hillis and Steele within a warp: the inclusive one, one lane late. Stands beside
// programs/scan/hillis_steele_exclusive.warp.
//
// Values travel only from lower lanes to higher ones, so lanes that have left are never read.

extern "C" __global__ void scan_hillis_steele_exclusive(const unsigned* input, unsigned* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  unsigned sum = input[i];
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const unsigned other = __shfl_up_sync(inside, sum, offset);
    if (lane >= offset) sum += other;
  }
  const unsigned before = __shfl_up_sync(inside, sum, 1);
  output[i] = lane == 0 ? 0 : before;
}
