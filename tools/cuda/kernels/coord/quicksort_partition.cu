// Quicksort partition: a warp parts its elements into those smaller than a pivot, equal ones and larger ones; each of
// the three keeps its order. Two __ballot_sync hold the whole warp's comparison, and every place is a __popc of them.
// The pivot is the median of the first, the middle and the last element. Beside
// programs/coord/quicksort_partition.warp.

extern "C" __global__ void coord_quicksort_partition(const int* input, int* output, unsigned* smaller, unsigned* equal,
                                                     unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned last_lane = __popc(living) - 1;  // the lanes that stay are the lowest ones
  const unsigned warp_start = i - lane;
  const unsigned lanes_before = (1u << lane) - 1;

  const int value = input[i];
  const int head = __shfl_sync(living, value, 0);
  const int middle = __shfl_sync(living, value, last_lane / 2);
  const int tail = __shfl_sync(living, value, last_lane);
  const int pivot = max(min(head, middle), min(max(head, middle), tail));

  const unsigned less_lanes = __ballot_sync(living, value < pivot);
  const unsigned equal_lanes = __ballot_sync(living, value == pivot);
  const unsigned less_count = __popc(less_lanes);
  const unsigned equal_count = __popc(equal_lanes);
  const unsigned less_before = __popc(less_lanes & lanes_before);
  const unsigned equal_before = __popc(equal_lanes & lanes_before);
  unsigned place;
  if (value < pivot) {
    place = less_before;
  } else if (value == pivot) {
    place = less_count + equal_before;
  } else {
    place = less_count + equal_count + (lane - less_before - equal_before);
  }
  output[warp_start + place] = value;
  smaller[i] = less_count;
  equal[i] = equal_count;
}
