// Mean and variance: two butterflies of __shfl_xor_sync, one after the other. The first adds the inputs, the second the
// squares of every lane's distance to the mean. Beside programs/reduce/mean_variance.warp.
//
// In a ragged warp lane 0, which adds every lane once, tells the others; the count is that of the lanes that live.

namespace mean_variance {
namespace {
__device__ float warp_sum(unsigned living, unsigned lane, unsigned count, float sum) {
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(living, sum, offset);
    if ((lane ^ offset) < count) sum += other;
  }
  return count < warpSize ? __shfl_sync(living, sum, 0) : sum;
}
}  // namespace
}  // namespace mean_variance

extern "C" __global__ void reduce_mean_variance(const float* input, float* mean, float* variance, unsigned size) {
  using mean_variance::warp_sum;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones
  const float n = static_cast<float>(count);

  const float own = input[i];
  const float average = warp_sum(living, lane, count, own) / n;
  const float distance = own - average;
  mean[i] = average;
  variance[i] = warp_sum(living, lane, count, distance * distance) / n;
}
