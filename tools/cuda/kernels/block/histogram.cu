// Block histogram: each block counts into bins of its own in shared memory, then adds those to the histogram of all.
// Stands beside programs/block/histogram.warp.
//
// There may be more bins than threads, or fewer, up to 1024: a thread takes care of every blockDim.x-th bin.

extern "C" __global__ void block_histogram(const unsigned* input, unsigned* histogram, unsigned size, unsigned bins) {
  __shared__ unsigned counts[1024];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  if (i < size) atomicAdd(&counts[input[i] % bins], 1u);
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    const unsigned count = counts[bin];
    if (count != 0) atomicAdd(&histogram[bin], count);
  }
}
