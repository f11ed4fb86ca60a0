// Stream compaction with a ballot: the elements that are not zero move together at the front, in their order. A lane's
// place is the number of kept lanes below it: __popc of the __ballot_sync under the lanes below. Beside
// programs/coord/compact_ballot.warp.

extern "C" __global__ void coord_compact_ballot(const int* input, int* output, unsigned* kept, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned warp_start = i - lane;

  const int value = input[i];
  const unsigned kept_lanes = __ballot_sync(living, value != 0);
  const unsigned rank = __popc(kept_lanes & ((1u << lane) - 1));
  if (value != 0) output[warp_start + rank] = value;
  kept[i] = __popc(kept_lanes);
}
