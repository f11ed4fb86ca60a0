// Aggregated atomics: all warps filter their elements into one list, and a warp asks the shared counter once, with one
// atomicAdd of the number of bits in a __ballot_sync. Beside programs/coord/aggregated_atomics.warp.
//
// In which order the warps ask is open on a GPU: each warp's stretch of the list keeps its order, but the stretches may
// come in any order. With one warp the result is the program's.

extern "C" __global__ void coord_aggregated_atomics(const int* input, int* output, unsigned* counter, unsigned size,
                                                    int threshold) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const int value = input[i];
  const bool keep = value >= threshold;
  const unsigned kept = __ballot_sync(living, keep);
  const unsigned rank = __popc(kept & ((1u << lane) - 1));

  unsigned base = 0;
  if (lane == 0 && kept != 0) base = atomicAdd(counter, __popc(kept));
  base = __shfl_sync(living, base, 0);
  if (keep) output[base + rank] = value;
}
