// Stream compaction with a scan: the elements that are not NaN move together at the front, in their order. An exclusive
// prefix sum of 1 for those and 0 for the others is each lane's place. Beside programs/coord/compact_scan.warp.
//
// The threads with an element form a cooperative group of their own. It may scan, because integers have one sum in
// whatever order they are added.

#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

extern "C" __global__ void coord_compact_scan(const float* input, float* output, unsigned* kept, unsigned size) {
  namespace cg = cooperative_groups;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const cg::coalesced_group group = cg::binary_partition(cg::coalesced_threads(), i < size);
  if (i >= size) return;
  const unsigned warp_start = i - group.thread_rank();  // the lanes that stay are the lowest ones

  const float value = input[i];
  const bool valid = !isnan(value);
  const unsigned flag = valid ? 1 : 0;
  const unsigned place = cg::exclusive_scan(group, flag);
  const unsigned count = group.shfl(place + flag, group.size() - 1);
  if (valid) output[warp_start + place] = value;
  kept[i] = count;
}
