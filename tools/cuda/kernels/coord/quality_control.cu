// Quality control: how a stretch of measurements is processed depends on how many of them are bad: NaN, or outside
// [low, high]. A __ballot_sync makes that number known to all lanes, so all give the same grade, and branches on it
// never part the warp: that is why one of them may shuffle. Beside programs/coord/quality_control.warp.

namespace quality_control {
namespace {
// In the order of a scan by 1, 2, 4, 8, 16, which decides the last bit.
__device__ float warp_sum(unsigned living, unsigned lane, unsigned last_lane, float sum) {
  for (unsigned distance = 1; distance < warpSize; distance *= 2) {
    const float left = __shfl_up_sync(living, sum, distance);
    if (lane >= distance) sum += left;
  }
  return __shfl_sync(living, sum, last_lane);
}
}  // namespace
}  // namespace quality_control

extern "C" __global__ void coord_quality_control(const float* input, float* output, unsigned* grade, unsigned size,
                                                 float low, float high) {
  using quality_control::warp_sum;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  const float value = input[i];
  const bool good = value >= low && value <= high;  // a NaN is neither
  const unsigned bad_count = __popc(__ballot_sync(living, !good));
  float result = value;
  unsigned mark = 0;
  if (2 * bad_count > count) {
    mark = 3;  // the stretch is given up
    result = 0.0f;
  } else if (4 * bad_count > count) {
    mark = 2;  // back to the nearest limit; NaN becomes `low`
    result = fminf(fmaxf(value, low), high);
  } else if (bad_count > 0) {
    mark = 1;  // the bad ones become the mean of the good ones
    const float sum = warp_sum(living, lane, count - 1, good ? value : 0.0f);
    const float mean = sum / static_cast<float>(count - bad_count);
    if (!good) result = mean;
  }
  grade[i] = mark;
  output[i] = result;
}
