// Work offsets: each lane brings a number of work items and learns which slots of its warp's list are its own. Stands
// beside programs/scan/work_offsets.warp.
//
// An exclusive prefix sum of counts is a list of places, so all lanes write at once without meeting. A warp's stretch
// begins at `room` slots for each thread before its first; a slot holds the number of its owner, plus 1.

namespace work_offsets {
namespace {

__device__ unsigned exclusive_scan(unsigned mask, unsigned lane, unsigned count) {
  unsigned sum = count;
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const unsigned other = __shfl_up_sync(mask, sum, offset);
    if (lane >= offset) sum += other;
  }
  return sum - count;
}

}  // namespace
}  // namespace work_offsets

extern "C" __global__ void scan_work_offsets(const unsigned* counts, unsigned* offset, unsigned* owner, unsigned size,
                                             unsigned room) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const unsigned count = counts[i];
  const unsigned start = work_offsets::exclusive_scan(inside, lane, count);
  offset[i] = start;

  const unsigned base = (i - lane) * room + start;
  for (unsigned item = 0; item < count; ++item) owner[base + item] = i + 1;
}
