// Conditional gather: each lane says from which lane it wants a value, or that it wants none; then it reads itself, so
// all lanes take part in one __shfl_sync. Beside programs/coord/conditional_gather.warp.
//
// A wish for a lane that is not there must not reach the shuffle, which would take it modulo 32. As an unsigned number
// a negative wish is too large as well.

extern "C" __global__ void coord_conditional_gather(const int* input, const int* wanted, int* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  const unsigned wish = wanted[i];
  output[i] = __shfl_sync(living, input[i], wish < count ? wish : lane);
}
