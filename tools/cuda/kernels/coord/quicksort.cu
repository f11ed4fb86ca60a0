// Quicksort of a warp's elements, one to a lane: in every round all segments that are not sorted yet are partitioned at
// the same time. Two __ballot_sync serve all segments, because each lane looks at the bits of its own segment only.
// Beside programs/coord/quicksort.warp.
//
// A lane knows where its element goes, but shuffles fetch. So each lane leaves its number in shared memory at the place
// where its element goes, and after a __syncwarp each place knows the lane to fetch from.

namespace quicksort {
namespace {
__device__ unsigned lanes_below(unsigned n) { return n < 32 ? (1u << n) - 1 : 0xffffffff; }
}  // namespace
}  // namespace quicksort

extern "C" __global__ void coord_quicksort(const int* input, int* output, unsigned* rounds, unsigned size) {
  using quicksort::lanes_below;
  __shared__ unsigned source[1024];  // one for each thread of the largest block
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  unsigned* const from = source + (threadIdx.x - lane);

  int value = input[i];
  unsigned begin = 0, end = __popc(living);  // the lane's segment: the lanes that stay are the lowest ones
  unsigned round = 0;
  bool sorted = false;
  while (!sorted) {
    const int pivot = __shfl_sync(living, value, (begin + end) / 2);
    const bool is_less = value < pivot;
    const bool is_equal = value == pivot;
    const unsigned segment = lanes_below(end) & ~lanes_below(begin);
    const unsigned less_lanes = __ballot_sync(living, is_less) & segment;
    const unsigned equal_lanes = __ballot_sync(living, is_equal) & segment;
    const unsigned less_before = __popc(less_lanes & lanes_below(lane));
    const unsigned equal_before = __popc(equal_lanes & lanes_below(lane));
    const unsigned equal_begin = begin + __popc(less_lanes);
    const unsigned equal_end = equal_begin + __popc(equal_lanes);

    unsigned place;
    if (is_less) {
      place = begin + less_before;
      end = equal_begin;
    } else if (is_equal) {
      place = equal_begin + equal_before;
      begin = place;
      end = place + 1;
    } else {
      place = equal_end + (lane - begin - less_before - equal_before);
      begin = equal_end;
    }
    from[place] = lane;
    __syncwarp(living);
    const unsigned fetch = from[lane];
    __syncwarp(living);  // all have read before anybody writes again
    value = __shfl_sync(living, value, fetch);
    begin = __shfl_sync(living, begin, fetch);
    end = __shfl_sync(living, end, fetch);
    ++round;
    sorted = __all_sync(living, end - begin <= 1);
  }
  output[i] = value;
  rounds[i] = round;
}
