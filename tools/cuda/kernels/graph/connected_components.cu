// Connected components of a graph with one vertex to a lane: every vertex learns the lowest vertex that it is connected
// to. In a round it takes the lowest label among itself and its neighbors, one __shfl_sync for each neighbor, and then
// the label of the vertex that its label names. __all_sync tells when no label fell. Beside
// programs/graph/connected_components.warp.
//
// Every lane has `degree` neighbors, of which some may be none: then it reads itself, and all lanes shuffle.

extern "C" __global__ void graph_connected_components(const int* neighbor, unsigned* component, unsigned* rounds,
                                                      unsigned size, unsigned degree) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  unsigned label = lane;
  unsigned round = 0;
  bool settled = false;
  while (!settled) {
    unsigned lowest = label;
    for (unsigned edge = 0; edge < degree; ++edge) {
      const unsigned vertex = neighbor[i * degree + edge];
      const unsigned other = __shfl_sync(living, label, vertex < count ? vertex : lane);
      lowest = min(lowest, other);
    }
    const unsigned next = __shfl_sync(living, lowest, lowest);
    settled = __all_sync(living, next == label);
    label = next;
    ++round;
  }
  component[i] = label;
  rounds[i] = round;
}
