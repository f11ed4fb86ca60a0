// Block sum: each warp folds its elements by shuffles, and warp 0 folds the warps' sums. Stands beside
// programs/block/sum.warp.
//
// A block has at most 32 warps, so warp 0 has a lane for each sum. Threads past the end of the input bring 0 and stay.
// The last warp may have fewer lanes than the others: a lane that is not there is not added. Floats are added in the
// order of the two trees.

namespace sum {
namespace {

// Lane 0 gets the sum of the lowest `count` lanes of the warp.
__device__ float fold_warp(float value, unsigned lane, unsigned count) {
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_down_sync(0xffffffff, value, offset);
    if (lane + offset < count) value += other;
  }
  return value;
}

}  // namespace
}  // namespace sum

extern "C" __global__ void block_sum(const float* input, float* output, unsigned size) {
  __shared__ float sums[32];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned warps = (blockDim.x + 31) / 32;
  const unsigned lanes = min(blockDim.x - 32 * warp, 32u);

  const float own = i < size ? input[i] : 0.0f;
  const float warp_sum = sum::fold_warp(own, lane, lanes);
  if (lane == 0) sums[warp] = warp_sum;
  __syncthreads();

  if (warp != 0) return;
  float part = 0.0f;
  if (lane < warps) part += sums[lane];  // not a plain load: 0 + -0 is 0
  const float total = sum::fold_warp(part, lane, warps);
  if (lane == 0) output[blockIdx.x] = total;
}
