// Collective decision: each lane votes on its own sample, and all lanes act upon the same conclusion: the more samples
// are loud, the more all are turned down. __any_sync and __all_sync answer two questions, __popc of a __ballot_sync any
// other. Beside programs/coord/collective_decision.warp.

extern "C" __global__ void coord_collective_decision(const int* input, int* output, unsigned* decision, unsigned size,
                                                     int loud) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const int sample = input[i];
  const bool is_loud = sample >= loud;
  const unsigned votes = __popc(__ballot_sync(living, is_loud));
  unsigned turn_down = __any_sync(living, is_loud) ? 1 : 0;
  if (2 * votes > __popc(living)) turn_down = 2;
  if (__all_sync(living, is_loud)) turn_down = 3;

  output[i] = sample >> turn_down;
  decision[i] = turn_down;
}
