// Minimum, down: after five __shfl_down_sync lane 0 holds the smallest of its warp's signed integers. Beside
// programs/reduce/min_down.warp.
//
// Past lane 31 the shuffle gives the own value back, and min(a, a) = a; from a lane that has left it may give anything,
// which must not be used.

extern "C" __global__ void reduce_min_down(const int* input, int* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  int smallest = input[i];
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
    const int other = __shfl_down_sync(living, smallest, offset);
    if (lane + offset < count) smallest = min(smallest, other);
  }
  if (lane == 0) output[i] = smallest;
}
