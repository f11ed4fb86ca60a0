// Block prefix sum: each warp scans its elements by shuffles, warp 0 scans the warps' totals, and every thread adds
// what the warps before its own hold together. Stands beside programs/block/prefix_sum.warp.
//
// A block has at most 32 warps, so warp 0 has a lane for each total. Only complete warps leave one: nobody comes behind
// a warp that lacks lanes. Threads past the end of the input bring 0 and stay. The sums are kept unsigned because those
// wrap.

namespace prefix_sum {
namespace {

__device__ unsigned scan_warp(unsigned sum, unsigned lane) {
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const unsigned other = __shfl_up_sync(0xffffffff, sum, offset);
    if (lane >= offset) sum += other;
  }
  return sum;
}

}  // namespace
}  // namespace prefix_sum

extern "C" __global__ void block_prefix_sum(const int* input, int* output, unsigned size) {
  __shared__ unsigned totals[32];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned complete = blockDim.x / 32;

  const unsigned own = i < size ? input[i] : 0;
  const unsigned sum = prefix_sum::scan_warp(own, lane);
  if (lane == 31) totals[warp] = sum;
  __syncthreads();

  if (warp == 0) {
    const unsigned prefix = prefix_sum::scan_warp(lane < complete ? totals[lane] : 0, lane);
    if (lane < complete) totals[lane] = prefix;
  }
  __syncthreads();

  const unsigned before = warp == 0 ? 0 : totals[warp - 1];
  if (i < size) output[i] = static_cast<int>(before + sum);
}
