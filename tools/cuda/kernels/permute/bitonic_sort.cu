// Bitonic sort of a warp's keys: compare-exchanges by __shfl_xor_sync, all of them upward. Stands beside
// programs/permute/bitonic_sort.warp.
//
// The first comparison of a merge pairs each lane with its mirror image in the two runs, which reads the second run
// backward; so no run is ever sorted downward. Then a ragged warp is no trouble: a lane without a partner keeps its
// key, as if the missing lanes held infinitely large ones.

extern "C" __global__ void permute_bitonic_sort(const int* input, int* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned last_lane = __popc(inside) - 1;

  int key = input[i];
  for (unsigned run = 1; run <= last_lane; run *= 2) {
    unsigned mask = 2 * run - 1;
    for (unsigned high_bit = run; high_bit > 0; high_bit /= 2) {
      const int other = __shfl_xor_sync(inside, key, mask);
      if ((lane ^ mask) <= last_lane) key = (lane & high_bit) == 0 ? min(key, other) : max(key, other);
      mask = high_bit / 2;
    }
  }
  output[i] = key;
}
