// A pointer travels: every lane sends its pointer to the lane before it, round the warp, and loads through the one that
// it received. Stands beside programs/shuffle/pointer_value.warp.
//
// __shfl_sync has no overload for pointers, but one for 64-bit integers, which a pointer fits into. What it points to
// does not move.

extern "C" __global__ void shuffle_pointer_value(const unsigned* input, unsigned* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const unsigned next = (lane + 1) % __popc(inside);
  const unsigned long long own = reinterpret_cast<unsigned long long>(input + i);
  const unsigned long long received = __shfl_sync(inside, own, next);
  output[i] = *reinterpret_cast<const unsigned*>(received);
}
