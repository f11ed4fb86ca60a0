// Sums of segments: the warp is cut into groups of `width` lanes, and the first lane of each holds its group's sum. All
// groups fold at the same time, because __shfl_down_sync with a width does not leave the segment. Beside
// programs/reduce/by_width.warp.
//
// A width must be a power of two up to 32. One in between counts as the next lower one, 0 as 1, a wider one as 32. The
// width is known only when the kernel runs; a fixed one would be a cooperative_groups::tiled_partition.

extern "C" __global__ void reduce_by_width(const int* input, int* output, unsigned size, unsigned width) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  width = min(max(width, 1u), 32u);
  width = 1u << (31 - __clz(width));
  const unsigned place = lane % width;

  int sum = input[i];
  for (unsigned offset = width / 2; offset > 0; offset /= 2) {
    const int other = __shfl_down_sync(living, sum, offset, width);
    if (place + offset < width && lane + offset < count) sum += other;
  }
  if (place == 0) output[i] = sum;
}
