// Dual reduction: every lane learns the smallest and the largest input of its warp, and so their distance. Beside
// programs/reduce/dual_min_max.warp.
//
// The program walks through one butterfly with two values. Here cooperative groups reduce: the threads with an element
// form a group of their own, whatever their number, and cg::reduce knows the way that is fastest for it.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

extern "C" __global__ void reduce_dual_min_max(const int* input, int* least, int* most, int* spread, unsigned size) {
  namespace cg = cooperative_groups;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const cg::coalesced_group group = cg::binary_partition(cg::coalesced_threads(), i < size);
  if (i >= size) return;

  const int value = input[i];
  const int smallest = cg::reduce(group, value, cg::less<int>());
  const int largest = cg::reduce(group, value, cg::greater<int>());
  least[i] = smallest;
  most[i] = largest;
  spread[i] = largest - smallest;
}
