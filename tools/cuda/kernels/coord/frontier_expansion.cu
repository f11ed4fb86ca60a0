// Frontier expansion: the first warp of a block searches a graph breadth first, from source[block]. Lanes take edges,
// not vertices: an exclusive prefix sum of the frontier's degrees puts all its edges in one row, and the row is dealt
// out, a lane an edge. An atomicCAS on a vertex's level lets one lane find it unreached, and a __ballot_sync of those
// lanes gives each its place in the queue. Beside programs/coord/frontier_expansion.warp.
//
// Where edges of one round lead to the same new vertex, it is open on a GPU which of their lanes finds it: the order of
// the queue within a level is then open too, and nothing else.

namespace frontier_expansion {
namespace {

__device__ unsigned exclusive_sum(unsigned living, unsigned lane, unsigned own) {
  unsigned sum = own;
  for (unsigned distance = 1; distance < warpSize; distance *= 2) {
    const unsigned left = __shfl_up_sync(living, sum, distance);
    if (lane >= distance) sum += left;
  }
  return sum - own;
}

// The last lane whose `begin` is not above `task`: the begins never fall from lane to lane.
__device__ unsigned find_owner(unsigned living, unsigned last_lane, unsigned begin, unsigned task) {
  unsigned owner = 0;
  for (unsigned step = warpSize / 2; step > 0; step /= 2) {
    const unsigned probe = min(owner + step, last_lane);
    if (__shfl_sync(living, begin, probe) <= task) owner = probe;
  }
  return owner;
}

}  // namespace
}  // namespace frontier_expansion

extern "C" __global__ void coord_frontier_expansion(const unsigned* first, const unsigned* target,
                                                    const unsigned* source, unsigned* level, unsigned* queue,
                                                    unsigned* reached, unsigned size, unsigned edges,
                                                    unsigned searches) {
  using namespace frontier_expansion;
  const unsigned lane = threadIdx.x;
  const unsigned living = __ballot_sync(0xffffffff, lane < warpSize);
  if (lane >= warpSize) return;
  const unsigned count = __popc(living);
  const unsigned row = blockIdx.x * size;  // where the block's part of `level` and `queue` begins

  if (lane == 0) {
    const unsigned start = source[blockIdx.x];
    level[row + start] = 1;
    queue[row] = start;
  }
  unsigned head = 0, level_end = 1, tail = 1, new_level = 2;
  while (head < tail) {
    __syncwarp(living);  // what other lanes stored into the queue can be loaded now
    unsigned edge = 0, degree = 0;
    if (head + lane < level_end) {
      const unsigned vertex = queue[row + head + lane];
      edge = first[vertex];
      degree = first[vertex + 1] - edge;
    }
    const unsigned begin = exclusive_sum(living, lane, degree);
    const unsigned total = __shfl_sync(living, begin + degree, count - 1);

    for (unsigned dealt = 0; dealt < total; dealt += count) {
      const unsigned task = dealt + lane;
      const unsigned owner = find_owner(living, count - 1, begin, task);
      const unsigned their_begin = __shfl_sync(living, begin, owner);
      const unsigned their_edge = __shfl_sync(living, edge, owner);
      unsigned found = 0;
      bool is_new = false;
      if (task < total) {
        found = target[their_edge + task - their_begin];
        is_new = atomicCAS(&level[row + found], 0u, new_level) == 0;
      }
      const unsigned winners = __ballot_sync(living, is_new);
      const unsigned rank = __popc(winners & ((1u << lane) - 1));
      if (is_new) queue[row + tail + rank] = found;
      tail += __popc(winners);
    }

    head = min(head + count, level_end);
    if (head == level_end) {
      level_end = tail;
      ++new_level;
    }
  }
  if (lane == 0) reached[blockIdx.x] = tail;
}
