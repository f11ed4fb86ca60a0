// Odd-even merge sort of a warp's keys, Batcher's other network. Stands beside
// programs/permute/odd_even_merge_sort.warp.
//
// The pairs of a step are no single xor, so each lane works out whom it meets and asks by __shfl_sync. Within a pair of
// runs `skip` lanes on either side are idle; counted from there, lanes with bit `distance` clear meet the one that is
// `distance` above. A lane without a partner, in the step or in a ragged warp, asks itself.

extern "C" __global__ void permute_odd_even_merge_sort(const int* input, int* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned last_lane = __popc(inside) - 1;

  int key = input[i];
  for (unsigned run = 1; run <= last_lane; run *= 2) {
    const unsigned place = lane % (2 * run);
    unsigned skip = 0;
    for (unsigned distance = run; distance > 0; distance /= 2) {
      const bool meets = place >= skip && place < 2 * run - skip;
      const bool lower = ((place - skip) & distance) == 0;
      unsigned partner = lower ? lane + distance : lane - distance;
      if (!meets || partner > last_lane) partner = lane;
      const int other = __shfl_sync(inside, key, partner);
      key = lower ? min(key, other) : max(key, other);
      skip = distance / 2;
    }
  }
  output[i] = key;
}
