// Exclusive prefix sum of Blelloch within a warp: up a tree of pairs, and down again. Stands beside
// programs/scan/blelloch.warp.
//
// One shuffle serves both lanes of a pair on the way down, as each asks for the other. In a ragged warp the last living
// lane stands in for a right lane that has exited.

namespace blelloch {
namespace {

// The pair that a lane belongs to when the lanes of a pair are `distance` apart. There is none where left == right.
struct Pair {
  unsigned left;
  unsigned right;
};

__device__ Pair pair_of(unsigned lane, unsigned distance, unsigned last_lane) {
  const unsigned right = lane | (2 * distance - 1);
  const unsigned living_right = min(right, last_lane);
  return {min(right - distance, living_right), living_right};
}

}  // namespace
}  // namespace blelloch

extern "C" __global__ void scan_blelloch(const unsigned* input, unsigned* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned last_lane = __popc(inside) - 1;

  unsigned sum = input[i];
  unsigned distance = 1;
  for (; distance <= last_lane; distance *= 2) {
    const blelloch::Pair pair = blelloch::pair_of(lane, distance, last_lane);
    const unsigned other = __shfl_sync(inside, sum, pair.left);
    if (lane == pair.right && pair.left != pair.right) sum += other;
  }

  if (lane == last_lane) sum = 0;  // nothing comes before the whole
  for (distance /= 2; distance > 0; distance /= 2) {
    const blelloch::Pair pair = blelloch::pair_of(lane, distance, last_lane);
    const unsigned other = __shfl_sync(inside, sum, lane == pair.right ? pair.left : pair.right);
    if (pair.left != pair.right) {
      if (lane == pair.right) sum += other;
      if (lane == pair.left) sum = other;
    }
  }
  output[i] = sum;
}
