// Butterfly pair swap: lane l takes the value of lane l ^ 1, so neighbors change places in one __shfl_xor_sync. Where
// the number of elements is odd, the last lane has no partner and keeps its own value. Beside
// programs/p26/butterfly_pair_swap.warp.

extern "C" __global__ void p26_butterfly_pair_swap(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const float current = input[i];
  const float partner = __shfl_xor_sync(living, current, 1);
  const bool has_partner = (lane ^ 1) < __popc(living);  // the lanes that stay are the lowest ones
  output[i] = has_partner ? partner : current;
}
