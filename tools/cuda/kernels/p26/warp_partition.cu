// Warp partition: the elements below the pivot come first, then the others; both keep their order. Beside
// programs/p26/warp_partition.warp.
//
// A lane's place is a count. Where the program takes prefix sums over 1 and 0, CUDA has a shorter way to the same
// numbers: the votes of one __ballot_sync, and __popc over those of the lanes before this one.

extern "C" __global__ void p26_warp_partition(const float* input, float* output, unsigned size, float pivot) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const float current = input[i];
  const bool is_left = current < pivot;
  const unsigned left = __ballot_sync(living, is_left);
  const unsigned right = __ballot_sync(living, current >= pivot);  // a NaN is neither
  const unsigned lanes_before = (1u << lane) - 1;
  const unsigned place = is_left ? __popc(left & lanes_before) : __popc(left) + __popc(right & lanes_before);
  output[i - lane + place] = current;
}
