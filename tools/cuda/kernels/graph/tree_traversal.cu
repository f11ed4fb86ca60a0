// Tree traversal without walking: every node learns its preorder number, its depth and the size of its subtree. Lane 2v
// enters node v, lane 2v + 1 leaves it, and pointers jump along that tour (Tarjan and Vishkin): each round of three
// __shfl_sync doubles the way whose steps a lane has counted. Beside programs/graph/tree_traversal.warp.
//
// A lane that has come to the end of the tour reads itself and adds nothing, so all lanes shuffle to the last round.

extern "C" __global__ void graph_tree_traversal(const int* parent, const int* child, const int* sibling,
                                                unsigned* preorder, unsigned* depth, unsigned* subtree, unsigned size) {
  const unsigned node = (blockIdx.x * blockDim.x + threadIdx.x) / 2;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, node < size);
  if (node >= size) return;
  const unsigned nodes = __popc(living) / 2;
  const bool enters = lane % 2 == 0;

  // Where the tour goes on. A negative number, which means none, is too large as an unsigned one.
  const unsigned tour_end = warpSize;
  const unsigned up = parent[node], down = child[node], aside = sibling[node];
  const unsigned after_enter = down < nodes ? 2 * down : lane + 1;
  const unsigned after_leave = aside < nodes ? 2 * aside : up < nodes ? 2 * up + 1 : tour_end;
  unsigned next = enters ? after_enter : after_leave;
  unsigned entered = enters ? 1 : 0;
  unsigned left = enters ? 0 : 1;
  do {
    const bool going = next < tour_end;
    const unsigned source = going ? next : lane;
    const unsigned more_entered = __shfl_sync(living, entered, source);
    const unsigned more_left = __shfl_sync(living, left, source);
    next = __shfl_sync(living, next, source);
    if (going) {
      entered += more_entered;
      left += more_left;
    }
  } while (__any_sync(living, next < tour_end));

  const unsigned entered_after_leaving = __shfl_xor_sync(living, entered, 1);
  if (!enters) return;
  preorder[node] = nodes - entered;
  depth[node] = left - entered;
  subtree[node] = entered - entered_after_leaving;
}
