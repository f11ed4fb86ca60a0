// Histogram with match: __match_any_sync tells each lane which lanes of its warp fall into the same bin, and the lowest
// of them adds their number to it. So a warp makes one atomicAdd for each bin that occurs in it. Beside
// programs/coord/match_histogram.warp.

extern "C" __global__ void coord_match_histogram(const unsigned* input, unsigned* histogram, unsigned size,
                                                 unsigned bins) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const unsigned bin = input[i] % bins;
  const unsigned group = __match_any_sync(living, bin);
  const bool is_lowest = lane + 1 == __ffs(group);
  if (is_lowest) atomicAdd(&histogram[bin], __popc(group));
}
