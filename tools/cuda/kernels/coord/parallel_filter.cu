// Parallel filter: what lies in [low, high) and is not a multiple of three goes to `accepted`, the rest to `rejected`;
// both keep their order. One __ballot_sync places both kinds: the accepted lanes below a lane, and the others below it.
// Beside programs/coord/parallel_filter.warp.

extern "C" __global__ void coord_parallel_filter(const int* input, int* accepted, int* rejected, unsigned* count,
                                                 unsigned size, int low, int high) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned warp_start = i - lane;

  const int value = input[i];
  const bool accept = value >= low && value < high && value % 3 != 0;
  const unsigned accepted_lanes = __ballot_sync(living, accept);
  const unsigned before = __popc(accepted_lanes & ((1u << lane) - 1));
  if (accept) {
    accepted[warp_start + before] = value;
  } else {
    rejected[warp_start + lane - before] = value;
  }
  count[i] = __popc(accepted_lanes);
}
